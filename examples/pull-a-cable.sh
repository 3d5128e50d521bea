#!/usr/bin/env bash
# The cable between two of three mini PCs is cut in the middle of a transfer: with fallback routes,
# without them, mended and not mended, and too late. docs/how-to/pull-a-cable.md goes through it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
simulate() { # what a run measured, without what differs from run to run, and its remarks
    linkwright simulate "$@" --format json 2>"$folder/notes" |
        python3 -c '
import json, sys
shown = "time frames_lost stalled_connections recovery_s frame_hops timeouts".split()
for row in json.load(sys.stdin):
    if row["metric"] in shown:
        print("{metric:<20} {value:8.6g} {unit}".format(**row))'
    cat "$folder/notes"
}
ring=examples/home-ring.yaml
without=$folder/without.yaml
transfer=(-w shift --set size_bytes=100000000)

echo "== nothing goes wrong"
simulate "$ring" "${transfer[@]}"
echo "== the cable between n0 and n1 is cut after 20 ms"
simulate "$ring" "${transfer[@]}" --fault "cable:0 down at 20ms"
echo "== the routes of n0"
linkwright plan "$ring" -o "$folder/plan" --quiet
grep -e '^node,' -e '^n0,' "$folder/plan/routes.csv"
echo "== without fallback routes, mended after 0.38 s"
sed '/^routing:/d' "$ring" >"$without"
simulate "$without" "${transfer[@]}" --fault "cable:0 down at 20ms up at 400ms"
echo "== without fallback routes, never mended"
linkwright simulate "$without" "${transfer[@]}" --fault "cable:0 down at 20ms" 2>&1 ||
    echo "exit code $?"
echo "== too late"
simulate "$ring" "${transfer[@]}" --fault "cable:0 down at 2s"
