"""The settings of the strategy."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from udfs.chunking.semantic.settings import SemanticSettings, Threshold


@pytest.mark.parametrize(
    ("own", "message"),
    [
        ({"threshold": {"cosine": 0.5}}, "threshold belongs to the method 'dips'"),
        ({"window": 2}, "window belongs to the method 'dips'"),
        ({"method": "dips", "cost": 2}, "cost belongs to the method 'optimal'"),
        ({"method": "dips", "threshold": {}}, "give one of cosine, percentile and deviations"),
        ({"method": "dips", "threshold": {"cosine": 0.1, "percentile": 5}}, "give one of"),
        ({"method": "dips", "threshold": {"cosine": 2}}, "less than or equal to 1"),
        ({"method": "other"}, "'optimal' or 'dips'"),
        ({"threads": 0}, "greater than or equal to 1"),
    ],
)
def test_settings_that_cannot_be_are_refused(words: Path, own: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        SemanticSettings(model=str(words), **own)


def test_a_model_is_looked_for_when_settings_are_made() -> None:
    with pytest.raises(ValidationError, match="there is no such folder"):
        SemanticSettings(model="nowhere/at/all")


def test_what_cuts_depend_on_knows_the_model_by_its_content(words: Path, letters: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(words, copy)
    own = SemanticSettings(model=str(words)).effective()
    assert SemanticSettings(model=str(copy), threads=2, cost=1.5).effective() == own
    assert SemanticSettings(model=str(letters)).effective() != own
    assert SemanticSettings(model=str(words), cost=2).effective() != own


def test_defaults_that_are_written_out_change_nothing(words: Path) -> None:
    own = SemanticSettings(model=str(words), method="dips")
    written = SemanticSettings(model=str(words), method="dips", threshold=Threshold(cosine=0.4), window=3)
    assert own.effective() == written.effective()
    assert hash(own) != hash(written)
