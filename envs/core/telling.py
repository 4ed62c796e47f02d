"""What a game with its options says in words and as data: actions, cards, Views, logs, pictures."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from concilium.envs.core.arguments import check_action, check_index
from concilium.envs.core.errors import IllegalActionError, OptionError
from concilium.envs.core.events import Plain, record_dict
from concilium.envs.core.glossary import Glossary
from concilium.envs.core.state import Records, plain_records
from concilium.envs.core.words import with_players

if TYPE_CHECKING:
    from concilium.envs.core.game import BoundGame, Game


class Telling:
    """The half of :class:`~.game.BoundGame` that speaks."""

    game: Game

    def action_name(self, action: int, seat: int | None = None) -> str:
        """Name of ``action`` in words.

        Args:
            action: its number.
            seat: whose action it is: other players are called by their names, ``player_3``. Without
                it they are counted clockwise, ``opponent 1``, as in the tables of the pages.

        Raises:
            IllegalActionError: there is no such action.
            OptionError: there is no such seat.
        """
        action = check_action(action)
        if not 0 <= action < self.game.num_actions:
            raise IllegalActionError(
                f"action {action} is out of range: 0 to {self.game.num_actions - 1}"
            )
        name = self.game.action_name(self._bound, int(action))
        if seat is None:
            return name
        if not 0 <= seat < self._bound.num_players:
            raise OptionError(f"seat {seat} is out of range: 0 to {self._bound.num_players - 1}")
        return with_players(name, seat, self._bound.num_players)

    @cached_property
    def _numbers(self) -> dict[int | None, dict[str, int]]:
        """Actions by their names in lower case, as each seat that has asked calls them."""
        return {}

    def parse_action(self, name: str, seat: int | None = None) -> int:
        """The action called ``name``: the inverse of :meth:`action_name`, upper case ignored.

        With ``seat``, both forms of the name are understood.

        Raises:
            IllegalActionError: there is no such action.
            OptionError: there is no such seat.
        """
        for form in (seat, None):
            if form not in self._numbers:
                self._numbers[form] = {
                    self.action_name(a, form).lower(): a for a in range(self.game.num_actions)
                }
            number = self._numbers[form].get(name.strip().lower())
            if number is not None:
                return number
        raise IllegalActionError(f"{self.game.name} has no action called {name!r}")

    @cached_property
    def _glossary(self) -> Glossary:
        return Glossary(self.game.card_texts(self._bound))

    def cards(self) -> list[str]:
        """Names of all cards that are in the game with these options."""
        return list(self._glossary.texts)

    def card_text(self, name: str) -> str:
        """What a card does, by its name or its beginning; see :meth:`.glossary.Glossary.explain`.

        Raises:
            OptionError: no card is called so.
        """
        return self._glossary.explain(name)

    def move_note(self, view: Records, action: int, index: int = 0) -> str:
        """Price and effect of a legal action to who sees ``view``; empty if its name tells all."""
        return self.game.move_note(
            self._bound, plain_records(view)[check_index(view, index)], action
        )

    def describe(self, view: Records, index: int = 0) -> str:
        """Tell a View in words."""
        return self.game.describe(self._bound, plain_records(view)[check_index(view, index)])

    def events(self, view: Records, index: int = 0) -> list[str]:
        """Tell what the log of a View holds, oldest first, one line each."""
        return list(self.game.events(self._bound, plain_records(view)[check_index(view, index)]))

    def view_dict(self, view: Records, index: int = 0) -> dict[str, Plain]:
        """Return a View as a mapping that JSON can hold; see :func:`~.events.record_dict`."""
        return record_dict(self.game.state, plain_records(view)[check_index(view, index)])

    def event_dicts(self, view: Records, index: int = 0) -> list[dict[str, Plain]]:
        """Return the log of a View, oldest first, as mappings that JSON can hold."""
        return self.game.event_table.log(plain_records(view)[check_index(view, index)])

    def render(self, view: Records, index: int = 0) -> str:
        """Draw a View with plain characters."""
        return self.game.render(self._bound, plain_records(view)[check_index(view, index)])

    @property
    def _bound(self) -> BoundGame:
        """The whole of which this is the half."""
        return self  # type: ignore[return-value]
