"""The params that a rule bot of Nicaea decides by, each with its reason, a character per bot.

Everything is weighed in points of the end; Influence is worth a part of a point.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from concilium.baselines.memory import params_records
from concilium.baselines.nicaea.dispute import DisputeModel
from concilium.baselines.parameters import number
from concilium.envs.core.state import Records

ORDINARY: Final = 0  # the record for ordinary turns
FOR_SCHISM: Final = 1  # the record while a schism is played for


def _number(default: object, meaning: str, low: float = 0.0, high: float = 10.0) -> Any:
    return number(default, meaning, low, high)


@dataclass(frozen=True)
class Character:
    """What a bot cares about; the defaults are the broker's.

    What each number means is told with it. Those of saving (restraint, offer, patience, need) were
    chosen together with the house deck, so that tables of these bots settle most of the disputes
    before the deck is empty.
    """

    # Near what these bots do: each of five seats buys in two of three rounds, one of ten doctrines.
    buying: tuple[float, float, float, float] = _number(
        (0.15, 0.1, 0.65, 0.1),
        "what others are taken to do: argue, double, settle, stop of the dispute model",
        high=1.0,
    )
    follow: float = _number(3.0, "how much each card of a side is taken to draw others to it")
    point: float = _number(1.0, "worth of a sure point", low=-10.0)
    # More than the five points that it shows on average: refresh and partners come with it.
    marker: float = _number(8.0, "worth of a Victory Point marker", low=-10.0)
    envy: float = _number(0.1, "part of what others gain that counts as a loss", low=-10.0)
    might: float = _number(0.05, "worth of Influence at the end: it breaks ties")
    thrift: float = _number(0.5, "worth of Influence to be spent")
    engine: float = _number(1.0, "how much what a Bishop gives in later rounds counts")
    refresh: float = _number(0.7, "part of the refresh of doctrine that counts")
    pair: float = _number(0.7, "part of the bonus of pairs that counts")
    suit: float = _number(0.3, "worth of each face-up card of a suit to others of that suit")
    patience: float = _number(0.6, "part of a card's worth that counts while it is in hand")
    contrary: float = _number(0.0, "worth of buying as the contrarian")
    # Constantine's holder wins half of the games that the deck ends.
    crown: float = _number(3.0, "worth of Constantine where the deck ends with disputes open")
    alarm: float = _number(
        0.25, "chance of a schism by somebody else that calls for gifts", high=1.0
    )
    gift: float = _number(1.0, "worth of a schism by somebody else made impossible", high=100.0)
    # With 1 a seat wins more, and the empty deck ends more than a third of the games of four.
    restraint: float = _number(
        14.0, "how many times as much as it does spending on Actions counts, once one has a living",
        high=100.0,
    )  # fmt: skip
    # All others choose of the new cards first.
    offer: float = _number(2.0, "what each space that New Offer fills is worth to the others")
    schism: float = _number(
        0.0,
        "Influence lacking and points too many with which it still plays for a schism; 0: never",
        high=100.0,
    )
    late: float = _number(
        2.5, "Debate Rounds after the next from which on schisms are thought of, own and others'"
    )
    # Below 1 some tables spend their first TI on doctrine and can pay for nothing ever after.
    need: float = _number(3.0, "worth of each Influence of the first Bishops, to make a living")

    def model(self) -> DisputeModel:
        """What others are taken to do about a dispute."""
        argue, double, settle, stop = self.buying
        return DisputeModel(argue, double, settle, stop, self.follow)

    def records(self) -> Records:
        """Return the params as compiled code reads them, ``(2,)``: ORDINARY, FOR_SCHISM.

        Raises:
            OptionError: the dispute model does not take them.
        """
        self.model()
        return params_records(self, replace(self, **_FOR_SCHISM))


_FOR_SCHISM: Final[dict[str, Any]] = {
    "point": -0.3, "marker": -2.0,  # the lowest score is wanted
    "envy": -0.3,  # and that everybody else has more
    "might": 0.4,  # Bishops count for their Influence
    "crown": 0.5, "gift": 0.0,
}  # fmt: skip
"""What changes while a schism is played for."""

BROKER: Final = Character()
"""Joins the side that can still reach four at the best price, by the exact program of disputes."""

SCHISMATIC: Final = Character(schism=8.0, late=3.0, might=0.3, gift=0.0)
"""A broker with an eye on Influence, who turns to the lowest score while a schism is in reach."""

TABLEAU: Final = Character(point=1.3, engine=2.5, suit=0.8, pair=1.0, restraint=12.0)
"""Builds a row that pays: one suit for free plays, pairs for the bonus, icons and Canons."""

CONTRARIAN: Final = Character(contrary=3.0, refresh=1.2)
"""Takes the cheap side, which refreshes as much as the dear one."""

WARDEN: Final = Character(
    alarm=0.01, gift=100.0, late=10.0,
    restraint=10.0, patience=0.9,  # cards in hand are gifts to come
)  # fmt: skip
"""A broker who sees to it that nobody else can break the church, with gifts if need be."""
