# The state of a node before files are loaded, and the way back to it. The folder $folder/before has
# interfaces with MTU and whether they are up, addresses, routes, rules and kernel parameters.

state() {
    mkdir -p "$1"
    ls /sys/class/net > "$1/interfaces"
    for interface in /sys/class/net/*; do
        name=${interface##*/}
        echo "$name $(cat "$interface/mtu") $(($(cat "$interface/flags") & 1))"
    done > "$1/links"
    ip -oneline address | grep -v ' inet6 fe80:' \
        | sed -E 's/^[0-9]+: +([^ ]+) +inet6? ([^ ]+).*/\2 dev \1/' > "$1/addresses"
    for family in 4 6; do
        ip "-$family" rule | sed -E 's/^([0-9]+):[[:space:]]*/priority \1 /; s/ \[detached\]//' \
            > "$1/rules$family"
        ip "-$family" route show table all \
            | grep -Ev '^(local|broadcast|anycast|multicast) |fe80|ff00' \
            | sed -E 's/ (linkdown|dead|pref [a-z]+)//g; s/ proto kernel//' \
            > "$1/routes$family"
    done
    grep -rH . /proc/sys/net/ipv4/ip_forward /proc/sys/net/ipv4/conf /proc/sys/net/ipv6/conf \
        /proc/sys/net/ipv4/neigh /proc/sys/net/ipv6/neigh /proc/sys/net/ipv4/ip_default_ttl \
        2> /dev/null | grep -v '_secret' > "$1/parameters" || true
}

keep() {
    state "$folder/before"
}

# only_in FILE OTHER: lines of a file that the other one does not have.
only_in() {
    grep -vxFf "$2" "$1" || true
}

take_back() {
    before=$folder/before
    after=$folder/after
    state "$after"
    for family in 4 6; do
        only_in "$after/rules$family" "$before/rules$family" \
            | while read -r rule; do ip "-$family" rule del $rule; done
        # A route may have ended with another one.
        only_in "$after/routes$family" "$before/routes$family" \
            | while read -r route; do ip "-$family" route del $route 2> /dev/null || true; done
    done
    only_in "$after/interfaces" "$before/interfaces" \
        | while read -r name; do ip link del dev "$name"; done
    # An address may have ended with its interface.
    only_in "$after/addresses" "$before/addresses" \
        | while read -r address; do ip address del $address 2> /dev/null || true; done
    set_links < "$before/links"
    put_back
    state "$after"
    # Forwarding changes other parameters with it, so that it comes first.
    only_in "$before/parameters" "$after/parameters" \
        | sed -n '/ip_forward:/p; /conf\/all\/forwarding:/p' | set_parameters
    state "$after"
    only_in "$before/parameters" "$after/parameters" | set_parameters
    rm -r "$before" "$after"
}

# put_back: addresses, routes and rules that the files have replaced.
put_back() {
    state "$after"
    only_in "$before/addresses" "$after/addresses" \
        | while read -r address; do ip address add $address; done
    state "$after"
    for family in 4 6; do
        only_in "$before/routes$family" "$after/routes$family" \
            | while read -r route; do ip "-$family" route add $route; done
        only_in "$before/rules$family" "$after/rules$family" \
            | while read -r rule; do ip "-$family" rule add $rule; done
    done
}

set_links() {
    while read -r name mtu is_up; do
        ip link set dev "$name" mtu "$mtu"
        if [ "$is_up" = 0 ]; then
            ip link set dev "$name" down
        else
            ip link set dev "$name" up
        fi
    done
}

set_parameters() {
    while IFS=: read -r file value; do
        [ ! -e "$file" ] || echo "$value" > "$file"
    done
}
