#!/usr/bin/env bash
# Runs the smoke tests on several versions of Spark, each in an environment of its own (.compat/), with several versions of
# Python and pandas; all of them must give the same tables. Arguments: the versions; by default all.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- 3.5 4.0 4.1 newest

# What each version is tried with: its package, pandas, and the Pythons that suit it, the first that there is.
# The oldest Spark goes with the oldest Python and the newest with the newest, so that all are seen.
of() {
    case "$1" in
    3.5) package="pyspark==3.5.*" pandas="pandas>=2,<3" pythons="python3.10 python3.11" ;;
    4.0) package="pyspark==4.0.*" pandas="pandas>=2,<3" pythons="python3.11 python3.12 python3.10" ;;
    4.1) package="pyspark==4.1.*" pandas="pandas>=2,<3" pythons="python3.12 python3.11 python3.10" ;;
    newest) package="pyspark" pandas="pandas>=3" pythons="python3.13 python3.12 python3.11" ;;
    *) echo "compat: unknown version $1; there are 3.5 4.0 4.1 newest" >&2 && exit 2 ;;
    esac
}

runs() { command -v "$1" >/dev/null && "$1" -c 'import venv, ensurepip' 2>/dev/null; }

# On the path, or among those that pyenv keeps.
find_python() {
    local name candidate
    for name in $pythons; do
        for candidate in "$name" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/*/bin/"$name"; do
            if runs "$candidate"; then echo "$candidate" && return; fi
        done
    done
    echo "${PYTHON:-python3}"
}

environment_of() {
    local found folder=".compat/spark-$1" wanted
    found="$(find_python)"
    wanted="$found $package $pandas $(cksum <pyproject.toml)"
    python="$folder/bin/python"
    # What is newest today is not what was when the environment was made.
    if [ "$1" != newest ] && [ "$(cat "$folder/made_from" 2>/dev/null)" = "$wanted" ]; then return; fi
    [ "$(cat "$folder/made_from" 2>/dev/null)" = "$wanted" ] || "$found" -m venv --clear "$folder"
    "$python" -m pip install --quiet --disable-pip-version-check --upgrade --editable '.[code,report]' "$package" "$pandas" pytest
    echo "$wanted" >"$folder/made_from"
}

export LAKECHUNK_SMOKE_TABLES="$PWD/.compat/tables.json"
mkdir -p .compat
rm -f "$LAKECHUNK_SMOKE_TABLES"
for version in "$@"; do
    of "$version"
    environment_of "$version"
    "$python" -c 'import platform, pandas, pyarrow, pyspark
print("Spark", pyspark.__version__, " Python", platform.python_version(), " pandas", pandas.__version__, " pyarrow", pyarrow.__version__)'
    "$python" -m pytest -q -m smoke -p no:cacheprovider tests/test_smoke.py
done
