#!/bin/sh
# Part of node n0 (alpha) of the network 'ring-3', written by `linkwright plan --for`. A new
# plan replaces it.
# Run `sh up.sh` as root; `sh undo.sh` takes all of it back. Nothing survives a reboot.
set -eu

PATH=/usr/sbin:/usr/bin:/sbin:/bin
# Commands that take back what was done, in the order of the steps.
journal=${LINKWRIGHT_JOURNAL:-/run/linkwright.undo}

fail() {
    echo "up.sh: $*" >&2
    exit 1
}

undo() {
    echo "$*" >> "$journal"
}

[ "$(id -u)" = 0 ] || fail "only root can set up interfaces: run it as root"
[ ! -e "$journal" ] || fail "this machine is up already: run undo.sh first"
here=$(dirname "$0")
: > "$journal"
trap '[ $? = 0 ] || { echo "up.sh: a step failed, all are taken back" >&2; sh "$here/undo.sh"; }' \
    EXIT

# kept FILE...: parameters of ports that the kernel changes together with that of the machine.
kept() {
    for file in "$@"; do
        case $file in
        */conf/all/forwarding) ;;
        *) undo "echo '$(cat "$file")' > '$file'" ;;
        esac
    done
}

# setting FILE VALUE: sets a parameter of the kernel.
setting() {
    old=$(cat "/proc/sys/$1")
    case $1 in
    net/ipv4/ip_forward)
        kept /proc/sys/net/ipv4/conf/all/accept_redirects /proc/sys/net/ipv4/conf/*/forwarding
        ;;
    net/ipv6/conf/all/forwarding) kept /proc/sys/net/ipv6/conf/*/forwarding ;;
    esac
    echo "$2" > "/proc/sys/$1"
    undo "echo '$old' > '/proc/sys/$1'"
}

# own NIC: refuses a NIC that is not there, and one with the default route.
own() {
    [ -e "/sys/class/net/$1" ] || fail "there is no NIC $1: name it under 'nodes' of the design"
    if [ -n "$(ip -4 route show default dev "$1"; ip -6 route show default dev "$1")" ]; then
        fail "NIC $1 has the default route of the machine: name another under 'nodes' of the design"
    fi
    mtu=$(cat "/sys/class/net/$1/mtu")
    undo "ip link set dev '$1' mtu $mtu"
    is_up=$(($(cat "/sys/class/net/$1/flags") & 1))
}

# port NIC MTU: brings a NIC up.
port() {
    own "$1"
    ip link set dev "$1" mtu "$2"
    if [ $is_up = 0 ]; then
        ip link set dev "$1" up
        undo "ip link set dev '$1' down"
    fi
}

# made NAME TYPE [OPTION...]: makes an interface.
made() {
    name=$1
    shift
    ip link add dev "$name" type "$@"
    undo "ip link del dev '$name'"
}

# address NIC ADDRESS: IPv6 does not wait until it knows that no other node has the address.
address() {
    case $2 in
    *:*) ip address add "$2" dev "$1" nodad ;;
    *) ip address add "$2" dev "$1" ;;
    esac
    undo "ip address del '$2' dev '$1'"
}

# route DESTINATION WORD...
route() {
    ip route add "$@"
    undo "ip route del $*"
}

# with_mac ADDRESS: the NIC with a hardware address. VLANs, bonds and bridges repeat one.
with_mac() {
    for nic in /sys/class/net/*; do
        set -- "$1" "$nic"/lower_*
        if [ "$(cat "$nic/address" 2> /dev/null)" = "$1" ] && [ ! -e "$2" ]; then
            echo "${nic##*/}"
            return
        fi
    done
    fail "no NIC has the hardware address $1"
}

# relayed TABLES NIC...: Docker drops packets that a machine relays. Where it runs, packets between
# these NICs pass by its chain for rules of one's own; other machines keep their firewall.
relayed() {
    tables=$1
    shift
    "$tables" -w -n -L DOCKER-USER > /dev/null 2>&1 || return 0
    "$tables" -w -N LINKWRIGHT
    undo "$tables -w -X LINKWRIGHT"
    for nic in "$@"; do
        "$tables" -w -A LINKWRIGHT -o "$nic" -j ACCEPT
        undo "$tables -w -D LINKWRIGHT -o '$nic' -j ACCEPT"
        "$tables" -w -I DOCKER-USER -i "$nic" -j LINKWRIGHT
        undo "$tables -w -D DOCKER-USER -i '$nic' -j LINKWRIGHT"
    done
}
port_eth1=$(with_mac 02:00:00:00:00:01)

# Relays packets between its ports; this holds for the whole machine.
setting net/ipv4/ip_forward 1
# A sender that is told of a shorter path would keep it after a failure; redirects are sent if
# either the port or the whole machine allows them.
setting net/ipv4/conf/all/send_redirects 0

# Cable to n1:eth1.
port enp1s0 1500
# A sender that is told of a shorter path would keep it after a failure; redirects are sent if
# either the port or the whole machine allows them.
setting net/ipv4/conf/enp1s0/send_redirects 0
# A backup route is used when the link of the better one is dark.
setting net/ipv4/conf/enp1s0/ignore_routes_with_linkdown 1
# Packets may arrive by another port than the one of the way back; the larger of the values of
# the port and of the whole machine is in force.
setting net/ipv4/conf/enp1s0/rp_filter 2
address enp1s0 10.0.0.0/31

# Cable to n2:eth0.
port "$port_eth1" 1500
# A sender that is told of a shorter path would keep it after a failure; redirects are sent if
# either the port or the whole machine allows them.
setting net/ipv4/conf/"$port_eth1"/send_redirects 0
# A backup route is used when the link of the better one is dark.
setting net/ipv4/conf/"$port_eth1"/ignore_routes_with_linkdown 1
# Packets may arrive by another port than the one of the way back; the larger of the values of
# the port and of the whole machine is in force.
setting net/ipv4/conf/"$port_eth1"/rp_filter 2
address "$port_eth1" 10.0.0.2/31

# The address that applications use. It has an interface of its own: any port reaches it, no
# failed link takes it away, and MPI libraries pass over loopback interfaces.
made id0 dummy
port id0 1500
address id0 10.128.0.1/32

relayed iptables enp1s0 "$port_eth1"
