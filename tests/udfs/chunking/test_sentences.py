"""Where sentences end, script by script."""

from __future__ import annotations

import pytest

from udfs.chunking.boundaries import CUT, prose_boundaries
from udfs.chunking.slab import Slab


def sentences(text: str) -> list[str]:
    boundaries = prose_boundaries(Slab([text]), size=512)
    ends = [CUT["sentence"], CUT["paragraph"], CUT["line"]]
    found, begin = [], 1  # a slab begins with a mark of its own
    slab = "\f" + text
    for left, right, cut in zip(boundaries.left, boundaries.right, boundaries.cut, strict=True):
        if cut in ends and left >= begin and right <= len(text):
            found.append(slab[begin:left])
            begin = right
    return [*found, slab[begin:]]


@pytest.mark.parametrize(
    "parts",
    [
        ["It rains.", "Then it stops!", "Does it?", "Yes."],
        ["Dr. Smith and Mrs. Jones met Prof. Ng, e.g. at noon.", "They left."],
        ["Pi is 3.14 and e is 2.72.", "See Fig. 3 and No. 5 for more."],
        ["J. R. R. Tolkien wrote it in the U.S. Army.", "Or not."],
        ["It ended in 2024.", "Then came more."],
        ['"Stop!"', "He said so.", "(It was late.)", "They slept."],
        ["Wait... what is this?", "Ah...", "Yes."],
        ["version 1. of the program, i.e. the old one, and so on."],
        ["\u4eca\u5929\u4e0b\u96e8\u3002", "\u660e\u5929\u5462\uff1f", "\u5f88\u597d\uff01"],
        ["\u300c\u884c\u3053\u3046\u3002\u300d", "\u3068\u8a00\u3063\u305f\u3002", "\u306f\u3044\u3002"],
        ["\u5024\u306f\uff13\uff0e\uff11\uff14\u3067\u3059\u3002", "\u7d42\u308f\u308a\u3002"],
        ["\u0647\u0644 \u0647\u0630\u0627 \u0633\u0624\u0627\u0644\u061f", "\u0646\u0639\u0645."],
        [
            "\u06cc\u06c1 \u0627\u06cc\u06a9 \u062c\u0645\u0644\u06c1 \u06c1\u06d2\u06d4",
            "\u062f\u0648\u0633\u0631\u0627.",
        ],
        [
            "\u092f\u0939 \u092a\u0939\u0932\u093e \u0939\u0948\u0964",
            "\u0926\u0942\u0938\u0930\u093e \u0939\u0948\u0964",
        ],
        ["Das kostet z.B. 5 Euro.", "Das ist ca. 6 Dollar."],
        ["1. First item of a list.", "2. Second item."],
        ["The answer was no.", "Then we left at 5 p.m.", "It was on Mon.", "They saw Art.", "So did Max."],
        ["On Jan. 5 and in No. 7 of Vol. 2 it was as in Fig. 1 of Art. 3."],
    ],
)
def test_sentences_end_where_a_reader_ends_them(parts: list[str]) -> None:
    unspaced = any(mark in parts[0] for mark in "\u3002\u300d")
    text = ("" if unspaced else " ").join(parts)
    if parts[0].startswith("1."):
        text = "\n".join(parts)
    assert sentences(text) == parts


def test_decimals_and_abbreviations_do_not_end_a_sentence() -> None:
    assert len(sentences("The value of approx. 3.5 cm vs. 4.0 cm etc. is in vol. 2 of the book")) == 1
