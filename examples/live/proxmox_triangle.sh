#!/usr/bin/env bash
# The tutorial "A Proxmox VE triangle": proof, files of ifupdown2, the same with OSPF of FRR, and
# pings through real kernels with a cable cut.
source examples/live/session.sh
design proxmox-triangle.yaml

section proof
run "linkwright check proxmox-triangle.yaml | head -7"
section plan
run "linkwright plan proxmox-triangle.yaml -o plan --for ifupdown2"
run "cat plan/nodes/pve1/ifupdown2/etc/network/interfaces.d/linkwright"
section settings
run "grep -v '^#' plan/nodes/pve1/ifupdown2/etc/sysctl.d/60-linkwright.conf"
section addresses
run "cat plan/hosts.csv"
section verify
run "linkwright emulate proxmox-triangle.yaml --verify"
section ping
run 'linkwright emulate proxmox-triangle.yaml --dilation 1 --quiet -- \
    ping -n -c 2 -i 0.2 pve2 | grep -o ".*ttl=.. "'
section cut
run 'linkwright emulate proxmox-triangle.yaml --dilation 1 --quiet \
    --fault "cable:0 down at 0.3s" -- \
    ping -n -c 10 -i 0.2 pve2 | grep -o ".*seq=10 ttl=.. "'
section ospf
run "sed 's/^routing: .*/routing: {daemon: ospf}/' proxmox-triangle.yaml > ospf.yaml"
run "linkwright plan ospf.yaml -o ospf --for ifupdown2,frr"
run "cat ospf/nodes/pve1/frr/etc/frr/frr.conf"
