"""The table of character classes."""

from __future__ import annotations

import numpy as np
import pytest

from udfs.chunking import characters


def test_no_class_lies_outside_what_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    table = characters.class_table()
    monkeypatch.setattr(characters, "_ASSIGNED", (range(0x40000), range(0x40000, 0x110000)))
    whole = characters.class_table.__wrapped__()
    assert np.array_equal(table, whole)
    assert table[ord("a")] == characters.LOWER
    assert table[0xE0101] == characters.EXTEND  # a variation selector, in the second range
