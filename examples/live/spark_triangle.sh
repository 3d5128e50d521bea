#!/usr/bin/env bash
# The tutorial "Three DGX Sparks and three cables": twins as links of their own, the proof for two
# cuts at a time, and pings through real kernels while a whole cable is cut.
source examples/live/session.sh
design spark-triangle.yaml

section proof
run "linkwright check spark-triangle.yaml --failures pairs:cable | grep -A 2 'failure of'"
section plan
run "linkwright plan spark-triangle.yaml -o plan --for netplan"
run "cut -d , -f 1-5,7 plan/cables.csv"
run "grep -E '^node|^spark1' plan/interfaces.csv"
run "cat plan/hosts.csv"
section files
run "(cd plan/nodes/spark1/netplan; find etc -type f | sort)"
run "grep -m 1 -A 20 enp1s0f0np0 plan/nodes/spark1/netplan/etc/netplan/60-linkwright.yaml"
section verify
run "linkwright emulate spark-triangle.yaml --verify"
section ping
run 'linkwright emulate spark-triangle.yaml --dilation 1 --quiet -- \
    ping -n -M do -s 8972 -c 2 -i 0.2 spark2 | grep -o ".*ttl=.. "'
section cut
run 'linkwright emulate spark-triangle.yaml --dilation 1 --quiet \
    --fault "cable:0 down at 0.3s" \
    --fault "cable:1 down at 0.3s" -- \
    ping -n -c 12 -i 0.2 spark2 | grep -o ".*seq=12 ttl=.. "'
