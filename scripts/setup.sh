#!/usr/bin/env bash
# Makes the virtual environment (VENV, default .venv) and sees to Java 17 or newer.
# Safe to call again and again: it does only what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
venv="${VENV:-.venv}"
oldest_java=17

say() { printf '%s\n' "$*" >&2; }
fail() { say "setup: $*"; exit 1; }

is_debian_root() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; }

apt_install() {
    say "setup: installing $* with apt-get"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq >&2
    apt-get install -y -qq --no-install-recommends "$@" >&2
}

# --- Python -------------------------------------------------------------------------------------------------------

is_new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; }

has_venv() { "$1" -c 'import venv, ensurepip' 2>/dev/null; }

find_python() {
    local name
    for name in ${PYTHON:-} python3.12 python3.11 python3.10 python3.13 python3; do
        if command -v "$name" >/dev/null && is_new_enough "$name" && has_venv "$name"; then
            echo "$name"
            return
        fi
    done
    return 1
}

ensure_python() {
    find_python && return
    # Debian keeps the venv module in a package of its own.
    if command -v python3 >/dev/null && is_new_enough python3 && is_debian_root; then
        apt_install python3-venv && find_python && return
    fi
    fail "needs Python 3.10 or newer with the venv module (Debian/Ubuntu: apt-get install python3-venv)"
}

# What the environment was made from: when this changes, it is brought up to date.
fingerprint() { cat pyproject.toml scripts/setup.sh | cksum; }

ensure_venv() {
    local python stamp="$venv/made_from"
    if [ -x "$venv/bin/lakechunk" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$(fingerprint)" ]; then
        return
    fi
    if ! "$venv/bin/python" -c 'import pip' 2>/dev/null; then
        python="$(ensure_python)"
        say "setup: making $venv with $("$python" --version)"
        "$python" -m venv --clear "$venv"
    fi
    say "setup: installing lakechunk and its tools into $venv (a few minutes the first time)"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --editable '.[dev,spark]'
    fingerprint >"$stamp"
}

# --- Java ---------------------------------------------------------------------------------------------------------

# The home of a java command, if it is new enough. Its own word for it: PATH may hold links to links.
java_home_of() {
    local settings version
    settings="$("$1" -XshowSettings:properties -version 2>&1)" || return 1
    version="$(sed -n 's/^ *java\.specification\.version = //p' <<<"$settings")"
    [ "${version%%.*}" -ge "$oldest_java" ] 2>/dev/null || return 1
    sed -n 's/^ *java\.home = //p' <<<"$settings"
}

find_java() {
    local java
    for java in "${JAVA_HOME:-/nowhere}/bin/java" "$(command -v java || true)" /usr/lib/jvm/*/bin/java \
        /opt/homebrew/opt/openjdk@17/bin/java /usr/local/opt/openjdk@17/bin/java; do
        if [ -x "$java" ] && java_home_of "$java"; then
            return
        fi
    done
    return 1
}

install_java() {
    if is_debian_root; then
        # Newer releases of Debian no longer have 17; their default is newer.
        apt_install openjdk-17-jre-headless || apt_install default-jre-headless
    elif command -v brew >/dev/null; then
        say "setup: installing openjdk@17 with Homebrew"
        brew install --quiet openjdk@17 >&2
    else
        fail "Spark needs Java $oldest_java or newer: install it (Debian/Ubuntu: sudo apt-get install openjdk-17-jre-headless) or set JAVA_HOME, then run this again"
    fi
}

ensure_java() {
    local home
    if ! home="$(find_java)"; then
        install_java
        home="$(find_java)" || fail "Java was installed but is not found; set JAVA_HOME to Java $oldest_java or newer"
    fi
    echo "$home" >"$venv/java_home"
}

ensure_venv
ensure_java
