#!/usr/bin/env bash
# A real MPI program, recorded on one machine (examples/halo), on three networks of 1998, whose
# processors are taken to be twenty times slower. docs/how-to/record-your-own-program.md goes
# through it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
recording="folder=examples/halo/recording"
figures() { # what a run measured, without what differs from run to run
    linkwright simulate "$@" --set compute_factor=20 --seed 1 --format json |
        python3 -c '
import json, sys
for row in json.load(sys.stdin):
    if row["metric"] in ("time", "time_mean", "region_time", "frame_hops", "collisions"):
        print("  {metric:<11} {value:.6g} {unit}".format(**row))'
}

for design in halo/hub-4 halo/switch-4 whitney-16; do
    echo "== $design"
    figures "examples/$design.yaml" -w recording --set "$recording" --placement 0,1,2,3
done
echo "== whitney-16, a square of its nodes"
figures examples/whitney-16.yaml -w recording --set "$recording" --placement 2x2
echo "== the loop that the program times between its two calls of MPI_Wtime"
figures examples/whitney-16.yaml -w recording --set "$recording" --set region=wtime:1-2 \
    --placement 2x2
echo "== the same as GOAL text"
linkwright goal -n 4 -w recording --set "$recording" -o "$folder/halo.goal" --quiet
sed -n 3,9p "$folder/halo.goal"
figures examples/whitney-16.yaml -w goal --set "file=$folder/halo.goal" --placement 2x2
