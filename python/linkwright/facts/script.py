"""A POSIX script that asks a machine all questions and writes the answers as a tar archive.

It is for machines without ssh or Python: it is carried there by hand, and its archive back
(carried.py reads it). It is made from the same questions as the program that ssh runs.
"""

from __future__ import annotations

import re
import shlex

from linkwright.facts.fact import Command, EachInterface, Files, Names, Question, Variables
from linkwright.facts.gathering import QUESTIONS

__all__ = ["FORM", "place_of", "script_text"]

FORM = "linkwright-facts 1"
"""Content of the file `form` in an archive."""
HEAD = r"""#!/bin/sh
# Asks this machine for all that matters to its network, for `linkwright facts`.
# It only reads. Run it on the machine, as root to see everything:
#
#     sh linkwright-facts.sh > NAME.tar
set -u
if [ -t 1 ]; then
  echo "usage: sh $0 > NAME.tar" >&2
  exit 2
fi
umask 077
LC_ALL=C
PATH=$PATH:/usr/sbin:/sbin:/usr/local/sbin
export LC_ALL PATH
folder=$(mktemp -d "${TMPDIR:-/tmp}/linkwright.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
limited() {
  if command -v timeout >/dev/null 2>&1; then timeout 10 "$@"; else "$@"; fi
}
# The answer of a program: its code, output and errors.
run() {
  place=$folder/$1
  shift
  command -v "$1" >/dev/null 2>&1 || return 0
  mkdir -p "$place"
  {
    limited "$@" 2>"$place/errors" </dev/null
    echo $? >"$place/code"
  } | head -c 4194304 >"$place/output"
}
# Small files; a folder stands for one that cannot be read.
files() {
  place=$folder/$1
  shift
  for path in "$@"; do
    [ -f "$path" ] || continue
    mkdir -p "$place${path%/*}"
    head -c 65536 "$path" >"$place$path" 2>/dev/null && continue
    rm -f "$place$path"
    mkdir -p "$place$path"
  done
}
# The lines of files that set some variables.
lines() {
  place=$folder/$1
  wanted=$2
  shift 2
  for path in "$@"; do
    [ -r "$path" ] && [ -f "$path" ] || continue
    mkdir -p "$place${path%/*}"
    grep -E "$wanted" "$path" 2>/dev/null | head -c 65536 >"$place$path"
  done
}
"""
TAIL = """id -u >"$folder/uid"
echo '{form}' >"$folder/form"
(cd "$folder" && tar cf - .)
"""


def place_of(key: str) -> str:
    """Return the folder in an archive that has the answer to a question.

    Examples
    --------
    >>> place_of("interfaces/ip link")
    'interfaces_ip_link'
    """
    return re.sub(r"[^A-Za-z0-9.-]+", "_", key)


def script_text() -> str:
    """Return the script."""
    lines = [_line(place_of(key), question) for key, question in QUESTIONS.items()]
    return HEAD + "".join(f"{line}\n" for line in lines if line) + TAIL.format(form=FORM)


def _line(place: str, question: Question) -> str:
    """Return the line that asks a question."""
    match question:
        case Command(words):
            return f"run {place} {shlex.join(words)}"
        case EachInterface(words):
            named = " ".join('"$name"' if one is None else shlex.quote(one) for one in words)
            return (
                'for path in /sys/class/net/*; do name=${path##*/}; [ -d "$path" ] && '
                f'run "{place}/$name" {named}; done'
            )
        case Files(pattern, ()):
            return f"files {place} {pattern}"
        case Files(pattern, prefixes):
            line = rf"^[[:space:]]*((export|setenv)[[:space:]]+)?({'|'.join(prefixes)})"
            return f"lines {place} '{line}' {pattern}"
        case Variables(prefixes):
            return (
                f"mkdir -p \"$folder/{place}\"; env | grep -E '^({'|'.join(prefixes)})' | "
                f'head -c 65536 >"$folder/{place}/output"'
            )
        case Names():
            return ""  # the script knows no other machine
