#!/usr/bin/env bash
# Which of six constants of the hosts matter for a broadcast: 56 runs, and the mean effect of each
# constant on the time, in seconds.
set -euo pipefail

study=$PWD/examples/sensitivity/what-matters.yaml
cd "$(mktemp -d)"
linkwright study "$study" -o what-matters --quiet
linkwright sensitivity what-matters
