"""What is previewed: a document with its chunks, and the figures about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from jobs.drawing import FORCED, DrawnDocument, stretches_of
from jobs.settings import JobSettings
from jobs.settings.profiles import resolve_profiles
from udfs.chunking import Chunk, Chunker, ChunkSettings, SettingsError
from udfs.chunking.auto import Chooser
from udfs.chunking.document import About
from udfs.chunking.strategies import STRATEGIES


@dataclass(frozen=True, slots=True)
class Subject:
    """A document, its chunks drawn, and what is not in them.

    Attributes:
        document: with all of its chunks.
        characters: code points of the canonical text; None if that is not known.
        removed: code points that are in no chunk, by reason.
    """

    document: DrawnDocument
    characters: int | None
    removed: Mapping[str, int] = field(default_factory=dict)

    @property
    def text(self) -> str | None:
        """The canonical text; None if some of it is not known."""
        parts = [stretch.text for stretch in self.document.stretches]
        return None if any(part is None for part in parts) else "".join(part or "" for part in parts)

    @property
    def figures(self) -> Figures:
        """The figures of its chunks."""
        return Figures.of(self.document.chunks)


@dataclass(frozen=True, slots=True)
class Figures:
    """How large chunks are, in tokens, and how they end. Of no chunks at all, everything is 0.

    Attributes:
        chunks: how many.
        tokens: of all, overlaps counted twice.
        mean, p50, p95, most: of one chunk.
        forced: how many end within a sentence, by kind of cut.
    """

    chunks: int
    tokens: int
    mean: float
    p50: float
    p95: float
    most: int
    forced: Mapping[str, int]

    @classmethod
    def of(cls, chunks: Sequence[Chunk]) -> Figures:
        """The figures of these chunks.

        >>> Figures.of([]).most
        0
        """
        return cls.measured([chunk.token_count for chunk in chunks], (chunk.cut for chunk in chunks))

    @classmethod
    def measured(cls, token_counts: Sequence[int], cuts: Iterable[str]) -> Figures:
        """The figures of chunks of which only these are known: how many tokens each holds, and the cuts.

        >>> Figures.measured([2, 4], ["word", "end"]).forced
        {'word': 1}
        """
        counts = np.array(token_counts or [0], dtype=np.int64)
        p50, p95 = (float(value) for value in np.percentile(counts, [50, 95]))
        found = Counter(cuts)
        forced = {cut: found[cut] for cut in FORCED if found[cut]}
        mean, most = float(counts.mean()), int(counts.max())
        return cls(len(token_counts), int(counts.sum()), mean, p50, p95, most, forced)

    @property
    def forced_cuts(self) -> int:
        """How many chunks end within a sentence."""
        return sum(self.forced.values())


def chunk_text(name: str, text: str, about: About, profile: str, settings: ChunkSettings) -> Subject:
    """A text as a profile chunks it; under `auto`, as the strategy does that suits it.

    Args:
        name: what the document is called.
        text: as it is given.
        about: what else is known of it.
        profile: the profile's name.
        settings: the profile.

    Example:
        >>> subject = chunk_text("a", "One. Two.", About(), "default", ChunkSettings(size=3, overlap=0))
        >>> [chunk.text for chunk in subject.document.chunks]
        ['One.', 'Two.']
    """
    chosen, why = settings, ""
    if settings.strategy == "auto":
        chosen, why = Chooser(settings).choose(text, about)
    batch = Chunker(chosen).chunk_batch([text], [about])
    chunks, canonical = batch.document(0), batch.canonical[0]
    canonical = text if canonical is None else canonical
    document = DrawnDocument(
        name=name,
        chunks=chunks,
        stretches=stretches_of(chunks, canonical),
        limit=chosen.limit,
        unit=chosen.unit,
        profile=profile,
        strategy=chosen.strategy,
        why=why,
    )
    return Subject(document, len(canonical), batch.removed[0])


def find_profile(settings: JobSettings, name: str) -> ChunkSettings:
    """A profile by its name, or the default one with the strategy of that name, as in routing.

    Raises:
        SettingsError: there is neither.
    """
    if name in settings.profiles_resolved:
        return settings.profiles_resolved[name]
    known = {*settings.profiles_resolved, *STRATEGIES}
    if name not in known:
        raise SettingsError.unknown("profile", name, known)
    resolved, faults = resolve_profiles(settings.profiles, [name])
    if name not in resolved:
        raise SettingsError("; ".join(fault.line("") for fault in faults))
    return resolved[name]
