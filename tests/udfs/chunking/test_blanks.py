"""Runs of blanks, however long, in slabs of any size: each way to find their ends gives the same."""

from __future__ import annotations

import numpy as np
import pytest

from udfs.chunking.blanks import run_ends
from udfs.chunking.slab import Slab


@pytest.mark.parametrize("words", [0, 5000], ids=["runs are looked up", "one by one"])
@pytest.mark.parametrize("blanks", [1, 12, 13, 40])
def test_a_run_ends_where_its_last_blank_does(blanks: int, words: int) -> None:
    slab = Slab(["a" + " " * blanks + "b " + "word " * words + "c" + "\t" * blanks])
    last = slab.text.index("c") + 1
    starts = np.array([2, 2 + blanks, 3 + blanks, last])
    # Behind the last document there is a parting, which is blank as well and ends the slab.
    assert run_ends(slab, starts).tolist() == [2 + blanks, 2 + blanks, 4 + blanks, len(slab)]


def test_positions_inside_a_long_run_share_its_end() -> None:
    slab = Slab(["a" + " " * 100 + "b"])
    assert run_ends(slab, np.arange(2, 103)).tolist() == [102] * 101
