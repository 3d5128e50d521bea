#!/usr/bin/env bash
# The main job: every way to join sixteen nodes, priced, proved and run, side by side. The page with
# the curves and drawings comes from `make demo`; this prints the table.
set -euo pipefail

linkwright compare --quiet --nodes 16 --catalogue whitney-1998 --format table
