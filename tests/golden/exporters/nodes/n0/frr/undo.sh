#!/bin/sh
# Part of node n0 (alpha) of the network 'ring-3', written by `linkwright plan --for`. A new
# plan replaces it.
# Run `sh up.sh` as root; `sh undo.sh` takes all of it back. Nothing survives a reboot.
set -eu

PATH=/usr/sbin:/usr/bin:/sbin:/bin
# Commands that take back what was done, in the order of the steps.
journal=${LINKWRIGHT_JOURNAL:-/run/linkwright.undo}

if [ ! -e "$journal" ]; then
    echo "undo.sh: nothing to take back" >&2
    exit 0
fi
[ "$(id -u)" = 0 ] || { echo "undo.sh: only root can take it back: run it as root" >&2; exit 1; }
tac "$journal" | while IFS= read -r step; do
    sh -c "$step" || { echo "undo.sh: not taken back: $step" >&2; echo "$step" >> "$journal.left"; }
done
rm "$journal"
[ ! -e "$journal.left" ] || echo "undo.sh: $journal.left has the steps that failed" >&2
