"""Texts that break chunkers, and random documents made of such pieces."""

from __future__ import annotations

from hypothesis import strategies as st

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
FLAGS = "\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7\U0001f1ef\U0001f1f5"
HANGUL_JAMO = "\u1112\u1161\u11ab\u1100\u1173\u11af"
DEVANAGARI = (
    "\u092f\u0939 \u092a\u0939\u0932\u093e \u0935\u093e\u0915\u094d\u092f \u0939\u0948\u0964 \u0926\u0942"
    "\u0938\u0930\u093e \u0935\u093e\u0915\u094d\u092f\u0964"
)
ARABIC = (
    "\u0647\u0644 \u0647\u0630\u0627 \u0633\u0624\u0627\u0644\u061f \u0646\u0639\u0645\u060c \u0647\u0648"
    " \u0643\u0630\u0644\u0643."
)
JAPANESE = (
    "\u300c\u884c\u3053\u3046\u3002\u300d\u3068\u5144\u304c\u8a00\u3063\u305f\u3002\u5024\u306f\uff13"
    "\uff0e\uff11\uff14\u3067\u3059\u3002"
)

PIECES = (
    " ", "  ", "\n", "\n\n", "\r\n", "\r\n\r\n", "\r", "\t", "\f", "\x0b", "\x85", "\u2028", "\u2029", "\u00a0",
    "\u3000", "\u200b", "\ufeff", "\u200d", "\ufe0f", "\u0301", "\u0600", "\u0000", "\ufffd", "\u00ad", "\u034f",
    ".", "!", "?", "...", "\u2026", ",", ";", ":", "-", '"', "'", ")", "(", "]", "\u300d", "\u3002", "\uff01",
    "\u3001", "\u0964", "\u061f", "a", "word", "Word", "supercalifragilistic", "12", "3.14", "Dr.", "e.g.", "U.S.",
    "J.", "1.", "x" * 50, "=-" * 20, "<|endoftext|>", "<|fim_prefix|>", "\U0001f680", FAMILY, FLAGS, HANGUL_JAMO,
    "e\u0301", "\u0915\u094d\u0937", "\u6f22", "\u3042", "\u30ab\u30bf\u30ab\u30ca", "\ud55c\uad6d\uc5b4",
    "\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22", "na\u00efve", "\u1e9e", "\u088f", "\U0001e6c0",
)  # fmt: skip


def documents() -> st.SearchStrategy[str]:
    """Random documents: odd pieces in any order, and any Unicode at all."""
    pieces = st.lists(st.sampled_from(PIECES), max_size=60).map("".join)
    anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)
    return st.one_of(pieces, pieces, st.tuples(pieces, anything, pieces).map("".join))


NASTY = [
    "",
    " ",
    "\n\n\n",
    "\t\u00a0\u2003",
    "\u200b\ufeff",
    "a",
    "Head line." + " " * 5000 + "Foot line.",
    "Last words. " * 30 + "\n\n\n",
    "beep boop beep boop beep boop",
    "ab" * 500,
    "a" * 3000,
    "\u6f22" * 500,
    "\u732b" * 20 + "\U0001f680" * 20 + " na\u00efve caf\u00e9 " + "\u98df\u3079\u7269" * 10,
    FAMILY * 12,
    FLAGS * 12,
    HANGUL_JAMO * 20,
    "e" + "\u0301" * 400 + " after",
    " \u0301 \u0301\u0301 x \u0600 y",
    "\u0600 \u0600\n\u06001",
    JAPANESE * 6,
    DEVANAGARI * 6,
    ARABIC * 6,
    ("\u1e9etra\u00dfe \u0175yneb \u0227lpha \ua733 na\u00efve \u201cquote\u201d \u2014 " * 12).strip(),
    "Docs say <|endoftext|> ends a text and <|fim_prefix|> starts one. " * 4,
    "one\r\ntwo\r\n\r\nthree\rfour\n\r\nfive" * 8,
    "line\u2028line\u2029paragraph\x0bvertical\x0cpage\x85next " * 6,
    "def f(x):\n    if x:\n        return 1\n\n\nclass A:\n\tdef g(self) -> None:\n\t\tpass\n" * 8,
    "\u0000nul\u0000 \u0000\u0000 bytes " * 20,
    "Dr. Smith met J. R. R. Tolkien at 3.14 p.m. in the U.S. Capitol. Then he left! Did he? Yes... he did. " * 5,
    "\n".join(f"{number}. item number {number}" for number in range(60)),
    "\n" * 4000,
    "." * 2000,
    "?! " * 400,
    "\u200d" * 200 + "x" + "\ufe0f" * 200,
    " " * 90 + "indented\n" + " " * 90 + "indented " * 30,
    "=-" * 600 + " " + "1" * 900,
    "a\u0600\r\n",
    "\u0600\t\u0600 \u0600\u200b \u0600\r\n x\u0600\r",
    "\t\u0301 \u200b\u0301 \r\n\u0301 \r\u0301x",
    "\uff76\uff85\uff61\uff76\uff85\uff64\u6f22\u061f  \uff01 word " * 12,
    "\u088f\u0c5c\U0001e6c0's newest letters " * 20,
]
