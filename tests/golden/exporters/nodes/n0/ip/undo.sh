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
tac "$journal" | while IFS= read -r step; do
    sh -c "$step" 2> /dev/null || echo "undo.sh: gone already: $step" >&2
done
rm "$journal"
