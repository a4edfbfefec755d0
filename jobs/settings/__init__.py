"""The settings of a job: defaults, a YAML file and the command line, merged and checked.

A `JobSettings` that exists is valid; everything that can be wrong is found before any Spark work.

>>> settings = load_settings(None, ["profiles.default.size=256"], {"input.path": "docs/"})
>>> settings.profiles_resolved["default"].size
256
"""

from jobs.settings.loading import load_settings
from jobs.settings.masking import masked, masked_text
from jobs.settings.model import ColumnSettings, InputSettings, JobSettings, OutputSettings, Rule
from jobs.settings.repeated_lines import RepeatedLines

__all__ = [
    "ColumnSettings",
    "InputSettings",
    "JobSettings",
    "OutputSettings",
    "RepeatedLines",
    "Rule",
    "load_settings",
    "masked",
    "masked_text",
]
