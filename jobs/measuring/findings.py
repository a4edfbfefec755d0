"""What the table `sizes` has to say: warnings worth reading, and the checks that a run has failed.

Works on rows as dicts; knows neither Spark nor the screen. No message holds anything that comes from a document: the
name that a finding is about stands beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from jobs.account import Account
from jobs.errors import JobError
from jobs.exit_codes import ExitCode
from jobs.measuring.measured_row import MeasuredRow, measured_rows
from jobs.measuring.rules import RULES, Rule
from jobs.quantities import percent
from udfs.chunking import ChunkSettings

# A row of fewer chunks proves nothing.
FEWEST_CHUNKS = 100

# More are not read.
MOST_FINDINGS = 12

# A content type or source is told beside what it is part of only if it is so many times worse.
MUCH_WORSE = 2.0


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that should not be as it is.

    Attributes:
        scope: of the row of `sizes` that it is about.
        name: of that row.
        check: what was looked at: a setting of `checks`, or `over_limit` or `repeated`, which have none.
        value: what was found.
        bound: what would still have been well.
        message: the fact and what to do, without the name.
        failed: whether it fails the run.
    """

    scope: str
    name: str | None
    check: str
    value: float
    bound: float
    message: str
    failed: bool = False

    def as_dict(self) -> dict[str, Any]:
        """As it stands among the `warnings` of run.json."""
        values = asdict(self)
        del values["failed"]
        return values

    @property
    def severity(self) -> float:
        """How many times past the bound it is."""
        least, most = sorted((self.value, self.bound))
        return most / least if least else float("inf")


class FailedChecksError(JobError):
    """Chunks that the settings `checks` do not want: nothing was published. The message lists every failed check.

    Args:
        findings: what has failed.
        sizes: the rows of the table `sizes`, to be shown.
    """

    exit_code: ClassVar[ExitCode] = ExitCode.CHECK

    def __init__(self, findings: Sequence[Finding], sizes: Sequence[Mapping[str, Any]]) -> None:
        self.findings = list(findings)
        self.sizes = list(sizes)
        many = "1 check has" if len(findings) == 1 else f"{len(findings)} checks have"
        end = "Correct the documents or the profiles, or change the settings under `checks`."
        super().__init__("\n".join([f"{many} failed. Nothing was published. {end}", *map(_told, findings)]))


_IMPORTANCE = {
    name: place for place, name in enumerate(("over_limit", "max_rejected", *(rule.check for rule in RULES[1:])))
}

# What goes without saying once the other has been said of a row.
_IMPLIED_BY = {"max_tiny": "min_p95", "max_duplicates": "repeated", "max_within_sentence": "max_within_word"}

# From here on rejected rows are worth a warning.
_MANY_REJECTED = 0.01


def warnings(
    rows: Sequence[Mapping[str, Any]], profiles: Mapping[str, ChunkSettings], account: Account
) -> list[Finding]:
    """What a person should look at, the most important first.

    Args:
        rows: of the table `sizes`.
        profiles: the settings of each profile.
        account: of the run, for the rejected rows.
    """
    found: list[Finding] = []
    for row in measured_rows(rows, profiles):
        for rule in RULES:
            finding = _judged(row, rule, rule.bound) if _worth_a_look(row, rule) else None
            if finding is not None and not _is_told(finding, found):
                found.append(finding)
    if account.input_rows >= FEWEST_CHUNKS:
        found += _rejected(account, _MANY_REJECTED)
    # Sorting is stable: overall comes first, then profiles, content types and sources.
    found.sort(key=lambda finding: _IMPORTANCE[finding.check])
    return found[:MOST_FINDINGS]


def failed_checks(
    rows: Sequence[Mapping[str, Any]],
    profiles: Mapping[str, ChunkSettings],
    account: Account,
    thresholds: Mapping[str, float],
) -> list[Finding]:
    """Every check that the run has failed, over all and by profile, the most important first.

    Args:
        rows: of the table `sizes`.
        profiles: the settings of each profile.
        account: of the run, for the rejected rows.
        thresholds: the settings of `checks` that are set.
    """
    judged = [row for row in measured_rows(rows, profiles) if row.scope in ("overall", "profile")]
    found = _rejected(account, thresholds.get("max_rejected"), failed=True)
    for rule in RULES:
        for row in judged:
            finding = _judged(row, rule, thresholds.get(rule.check), failed=True)
            if finding is not None:
                found.append(finding)
    return found


def _judged(row: MeasuredRow, rule: Rule, bound: float | None, *, failed: bool = False) -> Finding | None:
    value = rule.value(row)
    if bound is None or value is None or not rule.is_broken(value, bound):
        return None
    return Finding(row.scope, row.name, rule.check, value, bound, rule.message(row), failed)


def _worth_a_look(row: MeasuredRow, rule: Rule) -> bool:
    if rule.check == "over_limit":
        return True
    if row.chunk_count < FEWEST_CHUNKS:
        return False
    # Of what `auto` cuts, p95 is measured against a limit that it did not use; and short documents are whole.
    return not (row.limit_is_nominal and rule.check in ("min_p95", "max_tiny"))


def _is_told(finding: Finding, before: Sequence[Finding]) -> bool:
    """Whether a wider row has said so already, and it is not much worse here; or something said implies it."""
    same = [other for other in before if other.check == finding.check and other.scope != finding.scope]
    if same and finding.severity <= MUCH_WORSE * max(other.severity for other in same):
        return True
    rows = (("overall", None), (finding.scope, finding.name))
    return any((other.scope, other.name) in rows and other.check == _IMPLIED_BY.get(finding.check) for other in before)


def _rejected(account: Account, bound: float | None, *, failed: bool = False) -> list[Finding]:
    share = account.rejected / account.input_rows if account.input_rows else 0.0
    if bound is None or share <= bound:
        return []
    message = (
        f"{percent(share)} of the rows were rejected ({account.rejected:,} of {account.input_rows:,}). The table "
        "rejects has the reason of each."
    )
    return [Finding("overall", None, "max_rejected", share, bound, message, failed)]


def _told(finding: Finding) -> str:
    of = {"overall": "all chunks", "profile": f"profile {finding.name}"}[finding.scope]
    return f"  - {finding.check} = {finding.bound:g}, found {finding.value:.4g} ({of}): {finding.message}"
