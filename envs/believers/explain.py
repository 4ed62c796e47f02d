"""What each card of Believers does, in a line: for the page, and for who asks at the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from concilium.envs.believers import state as S
from concilium.envs.believers.cards import Cards, copies_at
from concilium.envs.believers.state import Effect, Target, Trouble
from concilium.envs.believers.text import cards_in, pair_text, virtue_name
from concilium.envs.core.game import BoundGame
from concilium.envs.core.words import Count

_EFFECTS: Final = {
    Effect.ALMONER: "draw one Virtue",
    Effect.PENITENT: "all Shame in front of the player is removed",
    Effect.GOSSIP: "the player counts one Shame more until the end of the row",
    Effect.CONFIDANT: "peek at one random Virtue of the player",
    Effect.HERALD: "peek at the next Mission; leave it or put it under the deck",
    Effect.INQUISITOR: "peek at all Virtues of the player",
    Effect.DOORKEEPER: "the player cannot be the Hand this round",
    Effect.REGENT: "be the Eye of this round",
    Effect.MENDICANT: "take a random Virtue from the player",
    Effect.GUARDIAN: "Shame does not bar its owner from being the Hand; a Crisis on its owner has "
    "no effect",
    Effect.GLEANER: "its owner draws a Virtue whenever a Mission fails",
    Effect.ORACLE: "peek at the player's Faith",
    Effect.WITNESS: "after the Mission, peek at what the Hand gave",
    Effect.LANTERN: "what the Hand gives this round is shown to all before the Eye chooses",
    Effect.APOSTLE: "both Virtues are placed; one that matches is enough; the Eye keeps none",
}
_TROUBLES: Final = {
    Trouble.FAST: "discards two Virtues of its choice",
    Trouble.TESTIMONY: "shows its Virtues to all",
    Trouble.DOUBT: "discards a Disciple of its choice, steadfast ones included",
    Trouble.MUTENESS: "enlists nobody and shames nobody in the next row",
    Trouble.EXILE: "is not the Hand in the next row",
    Trouble.POVERTY: "has no part in the next Indoctrination",
    Trouble.BLINDNESS: "has a random one of the two Virtues placed when it is the acting Eye in "
    "the next row",
    Trouble.TITHE: "gives two random Virtues to the next player",
}
_ON: Final = {Target.ON_ANYBODY: "anybody", Target.ON_OTHERS: "another"}
_SHAME: Final = (
    "each player's own card, laid in front of another in Part I until the end of the row; "
    f"{S.SHAMED_BY} of them bar a player from being the Hand"
)


def effect_table() -> str:
    """The effects of Disciples as a Markdown table."""
    lines = ["| effect (S: steadfast) | on | what it does |", "|---|---|---|"]
    for effect, text in _EFFECTS.items():
        target = Target(int(S.TARGETS[effect]))
        steadfast = " (S)" if target is Target.NEVER else ""
        lines.append(f"| {effect.name.lower()}{steadfast} | {_ON.get(target, '')} | {text} |")
    return "\n".join(lines)


def trouble_table() -> str:
    """The effects of Crises as a Markdown table."""
    lines = ["| effect of a Crisis | on its target |", "|---|---|"]
    lines += [f"| {trouble.name.lower()} | {text} |" for trouble, text in _TROUBLES.items()]
    return "\n".join(lines)


def card_texts(bound: BoundGame) -> list[tuple[str, str]]:
    """Each card that is in the game, with what it does."""
    cards, options = cards_in(bound), bound.options
    found = [*_virtues(cards, bound), *_missions(cards, bound)]
    if options["shame"]:
        found.append(("Shame", _SHAME))
    if options["disciples"]:
        found += _disciples(cards, bound.num_players)
    if options["crises"]:
        found += [
            (c.name, f"Crisis; its target {_TROUBLES[Trouble(c.effect)]}") for c in cards.crises
        ]
    return found


def _virtues(cards: Cards, bound: BoundGame) -> Iterator[tuple[str, str]]:
    kinds = int(bound.options["virtue_kinds"])
    for kind, virtue in enumerate(cards.virtues[:kinds]):
        others = [
            virtue_name(cards, m.low + m.high - kind)
            for m in cards.missions
            if kind in (m.low, m.high) and m.high < kinds and copies_at(m, bound.num_players)
        ]
        asked = f"on Missions with {', '.join(others)}" if others else "on no Mission"
        yield virtue.name, f"Virtue, {Count(copies_at(virtue, bound.num_players)):card}; {asked}"


def _missions(cards: Cards, bound: BoundGame) -> Iterator[tuple[str, str]]:
    for mission in cards.missions:
        copies = copies_at(mission, bound.num_players)
        if copies and mission.high < int(bound.options["virtue_kinds"]):
            low, high = virtue_name(cards, mission.low), virtue_name(cards, mission.high)
            yield (
                pair_text(cards, S.pair_number(mission.low, mission.high)),
                f"Mission, {Count(copies):card}; a success if {low} or {high} is placed",
            )


def _disciples(cards: Cards, num_players: int) -> Iterator[tuple[str, str]]:
    for disciple in cards.disciples:
        copies = copies_at(disciple, num_players)
        if not copies:
            continue
        target = Target(int(S.TARGETS[disciple.effect]))
        how = {
            Target.NEVER: "steadfast: as long as it lies in front of its owner, ",
            Target.ON_NOBODY: "enlisted: ",
            Target.ON_ANYBODY: "enlisted on anybody: ",
            Target.ON_OTHERS: "enlisted on another player: ",
        }[target]
        yield (
            disciple.name,
            f"Disciple, {Count(copies):card}, costs {Count(disciple.cost):Virtue}; "
            f"{how}{_EFFECTS[Effect(disciple.effect)]}",
        )
