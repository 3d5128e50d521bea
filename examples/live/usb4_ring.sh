#!/usr/bin/env bash
# The tutorial "Four mini PCs in a ring of USB4": backup routes that leave pairs behind, tables by
# incoming interface that do not, the plan, and pings through real kernels with a cable cut.
source examples/live/session.sh
design usb4-ring.yaml

section without
run "sed 's/fallback: by-interface/fallback: true/' usb4-ring.yaml > plain.yaml"
run "linkwright check plain.yaml | grep -A 5 'worst failures'"
section proof
run "linkwright check usb4-ring.yaml | grep -A 4 'failure of'"
section plan
run "linkwright plan usb4-ring.yaml -o plan --for ip"
run "cut -d , -f 1-5 plan/cables.csv"
run "grep -E '^node|^pve1' plan/rules.csv"
run "grep -E '^node|^pve1.*10.99.0.130' plan/routes.csv"
section files
run "sed -n '/^# Cable to pve2/,/^$/p' plan/nodes/pve1/ip/up.sh"
run "grep -E '^rule -|table 1' plan/nodes/pve1/ip/up.sh"
section verify
run "linkwright emulate usb4-ring.yaml --verify"
section ping
run 'linkwright emulate usb4-ring.yaml --dilation 1 --quiet -- \
    ping -n -c 2 -i 0.2 pve2 | grep -o ".*ttl=.. "'
section cut
run 'linkwright emulate usb4-ring.yaml --dilation 1 --quiet \
    --fault "cable:0 down at 0.3s" -- \
    ping -n -c 10 -i 0.2 pve2 | grep -o ".*seq=10 ttl=.. "'
