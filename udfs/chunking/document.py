"""A document on its way through the engine: what is given with its text, and what reading it found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from udfs.chunking.formats.structure import Structure


@dataclass(frozen=True, slots=True)
class About:
    """What is known of a document beside its text; all of it may be missing.

    Attributes:
        title: put in front of its chunks where the context asks for it.
        content_type: a MIME type: tells the format, and the language of code.
        source: a file name, path or URL: likewise.
        pages: where each page begins in the text, in code points. Form feeds in a text tell the same.
    """

    title: str | None = None
    content_type: str | None = None
    source: str | None = None
    pages: Sequence[int] | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A document as it is chunked.

    Attributes:
        text: the canonical text.
        structure: of `text`; None if nothing is known.
        pages: where each page begins in `text`, the first at 0; None if it has no pages.
        removed: how many code points of the source are not in `text`, or in no chunk, by reason.
        title: for the context; empty if there is none.
    """

    text: str
    structure: Structure | None = None
    pages: npt.NDArray[np.int64] | None = None
    removed: Mapping[str, int] = field(default_factory=dict)
    title: str = ""


NOTHING = About()
