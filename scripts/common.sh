# What each shell script of the project begins with. It is read by `source`, never run.
set -euo pipefail

# The script as it is named from the root of the project, where all of them work.
script="$(cd "$(dirname "$0")" && pwd)/$(basename "$0")"
cd "$(dirname "${BASH_SOURCE[0]}")/.."
script="${script#"$PWD/"}"

# usage: the comment at the head of the script, which prints it for --help. A script that runs others has a function `programs`, defined
# before common.sh is read: a name and a path a line. They are listed, each with the second line of its program.
usage() {
  awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$script"
  declare -F programs >/dev/null || return 0
  echo "Parts:"
  programs | while read -r name path; do
    printf '  %-14s %s\n' "$name" "$(sed -n '2{s/^# //;s/^"""//;s/"""$//;p;}' "$path")"
  done
}
if [ "${1:-}" = --help ] || [ "${1:-}" = -h ]; then
  usage
  exit
fi

# mistake WORDS: ends a script that was called in a wrong way.
mistake() {
  say "$*"
  usage >&2
  exit 2
}

# program NAME: the path of the program of that name.
program() {
  local path
  path="$(programs | sed -n "s|^$1 ||p")"
  [ -n "$path" ] || mistake "there is no part '$1'"
  echo "$path"
}

# SwiftPM before 6.4 gives the traits to the compiler in the order of a hash table. In a random order each build would compile
# everything again, though nothing has changed.
export SWIFT_DETERMINISTIC_HASHING=1

# Package.swift says what it is for.
export STREAMMAP_OPTIMIZED=1

# swift COMMAND…: with STREAMMAP_WHOLE_MODULES, each module is compiled as a whole. A build of everything then takes a quarter less of the
# processor, and a build after a small change takes longer: it is for builds from nothing, as in continuous integration. All that builds in
# one place must have it, or none: other flags compile everything again. The compiler writes an index, by which SwiftPM finds tests; without
# the modules of the system in it, that takes less time. What others import of a module is written by the process that compiles it: a process of
# its own would type-check the module once more. Nothing reads the lines of the code in such a build, so it has none (a seventh of the work).
swift() {
  if [ -n "${STREAMMAP_WHOLE_MODULES:-}" ] && [[ "$1" = build || "$1" = test ]]; then
    set -- "$1" -debug-info-format none -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2 -Xswiftc -index-ignore-system-modules \
      -Xswiftc -no-emit-module-separately-wmo "${@:2}"
  fi
  command swift "$@"
}

# say WORDS: a line on standard error, after the name of the script.
say() { printf '%s\n' "$script: $*" >&2; }

# skipped WHAT WHY: says that something is not checked, and writes it down for the list that scripts/test ends with.
skipped() {
  say "$1 SKIPPED: $2"
  [ -z "${STREAMMAP_SKIPPED:-}" ] || printf '%s: %s\n' "$1" "$2" >>"$STREAMMAP_SKIPPED"
}

# without_debugging FILE…: takes out of programs and shared libraries what only debuggers read. On Linux two more things go, which differ with the
# folder of the build, so that two builds of one commit are equal wherever they are made: Swift's hashes of each module, and the number of the build.
without_debugging() {
  if [ "$(uname)" = Linux ]; then
    strip --remove-section=.swift_ast --remove-section=.swift_modhash --remove-section=.note.gnu.build-id "$@"
  else
    strip "$@"
  fi
}

# c_library CONFIGURATION: builds the C library, and prints where it is. (In a command substitution, a failure alone does not end a function.)
c_library() {
  swift build ${SWIFT_BUILD_FLAGS:-} -c "$1" --product streammap >&2 || return
  echo "$(swift build ${SWIFT_BUILD_FLAGS:-} -c "$1" --show-bin-path)/libstreammap.$([ "$(uname)" = Darwin ] && echo dylib || echo so)"
}

# apt_install PACKAGE…: as root or through sudo; false if that cannot be.
apt_install() {
  local sudo=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      say "run as root, or install sudo: apt-get install $*"
      return 1
    fi
    sudo=(sudo)
  fi
  say "installing $*"
  ${sudo[@]+"${sudo[@]}"} apt-get update -qq &&
    ${sudo[@]+"${sudo[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" >/dev/null
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
