# What each shell script here begins with. It is read by `source`, never run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# SwiftPM before 6.4 gives the traits to the compiler in the order of a hash table. In a random order each build would compile
# everything again, though nothing has changed.
export SWIFT_DETERMINISTIC_HASHING=1

# say WORDS: a line on standard error, after the name of the script.
say() { printf '%s\n' "$(basename "$0"): $*" >&2; }

# skipped WHAT WHY: says that something is not checked, and writes it down for the list that scripts/test ends with.
skipped() {
  say "$1 SKIPPED: $2"
  [ -z "${STREAMMAP_SKIPPED:-}" ] || printf '%s: %s\n' "$1" "$2" >>"$STREAMMAP_SKIPPED"
}

# The modules that the tests of Python import, the place into which scripts/setup --checks installs them, and the interpreter there; the
# system's, where there is none. PYTHON names another one.
python_modules=$PWD/Python/tests/requirements.txt
python_place=$PWD/.build-python
python() {
  if [ -n "${PYTHON:-}" ]; then
    "$PYTHON" "$@"
  elif [ -x "$python_place/bin/python" ]; then
    "$python_place/bin/python" "$@"
  else
    python3 "$@"
  fi
}
