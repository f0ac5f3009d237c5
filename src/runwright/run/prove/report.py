"""What became of each mutant, and what that says about the flow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from runwright.errors import Exit
from runwright.flow import FlowResult, Word
from runwright.perturb import KINDS, Kind, Mutant

Fate: TypeAlias = Literal["killed", "survived", "not_applicable", "unjudged"]
FATES: tuple[Fate, ...] = ("killed", "survived", "not_applicable", "unjudged")


@dataclass(frozen=True, kw_only=True)
class Tried:
    """A mutant and its fate. `why` says what killed it, why it does not apply or why it could not be judged.

    `remedy` is what would kill a survivor: an assertion as a step of the flow, or a field.
    """

    mutant: Mutant
    fate: Fate
    why: str
    remedy: str = ""


@dataclass(frozen=True, kw_only=True)
class ProveReport:
    """A proof. `unmutated` is the verdict on the side that no mutant changed; unless it is green nothing was tried.

    `known` counts the mutants there are, of which those in `tried` were picked; `asked` are the kinds wanted, none for
    all. No report may show `known_secrets`.
    """

    unmutated: FlowResult
    tried: tuple[Tried, ...] = ()
    known: int = 0
    asked: tuple[Kind, ...] = ()
    known_secrets: tuple[str, ...] = field(default=(), repr=False)

    @property
    def summary(self) -> str:
        """The proof in one line that begins with its word."""
        if self.unmutated.word is not Word.PASS:
            return f"UNVERIFIED, the side that no mutant changed is not green: {self.unmutated.summary}"
        tried = len(self.tried)
        parts = [f", of those tried ({tried:,} of {self.known:,})"] if tried < self.known else []
        absent = [kind for kind in self.asked if not any(each.mutant.kind == kind for each in self.tried)]
        parts += [f"; there is no mutant of kind {', '.join(absent)}"] if absent else []
        return "".join((self._found(), *parts))

    def _found(self) -> str:
        killed, survived, unjudged = (len(self.of(fate)) for fate in ("killed", "survived", "unjudged"))
        if survived:
            return f"FAIL, {survived} of {killed + survived} mutants that apply survived"
        if unjudged:
            return f"UNVERIFIED, {unjudged} of {killed + unjudged} mutants that apply could not be judged"
        return f"PASS, all {killed} mutants that apply are killed" if killed else "UNVERIFIED, no mutant applies"

    @property
    def exit(self) -> Exit:
        """0: each mutant that applies is killed, and one is; 1: one survived; 2: the flow or a mutant is not judged."""
        if self.unmutated.word is not Word.PASS:
            return Exit.NOT_JUDGED
        if self.of("survived"):
            return Exit.FAILED
        return Exit.OK if self.of("killed") and not self.of("unjudged") else Exit.NOT_JUDGED

    def of(self, fate: Fate) -> tuple[Tried, ...]:
        """The mutants of one fate, in order."""
        return tuple(each for each in self.tried if each.fate == fate)

    def table(self) -> dict[Kind, dict[Fate, int]]:
        """How many of each kind met each fate; a kind of which there is none stays only if it was asked for."""
        counted = {kind: _counted([each for each in self.tried if each.mutant.kind == kind]) for kind in KINDS}
        return {kind: counts for kind, counts in counted.items() if any(counts.values()) or kind in self.asked}


def _counted(tried: Sequence[Tried]) -> dict[Fate, int]:
    return {fate: sum(each.fate == fate for each in tried) for fate in FATES}
