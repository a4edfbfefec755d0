"""The strategies by name (STUB: the engine fills the values)."""

from __future__ import annotations

STRATEGIES: dict[str, object] = dict.fromkeys(("whole", "fixed", "sliding_window", "recursive", "sentence"))
