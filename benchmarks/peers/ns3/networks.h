// The networks of the workloads in ns-3: hosts with a place in a topology, and the way frames take
// between any two of them. Networks only; what is sent is in traffic.h.
#pragma once

#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"

#include <map>
#include <string>
#include <vector>

/// Properties that all wires of a network share.
struct Wire
{
    std::string medium = "p2p"; ///< "p2p": full duplex, switches are routers; "csma": half duplex.
    std::string rate = "100Mbps";
    std::string delay = "1us";
    uint32_t gap_bytes = 0;              ///< silence after every frame, for headers ns-3 leaves out
    std::string host_queue = "100p";     ///< of the interfaces of hosts
    std::string switch_queue = "150200B"; ///< of the ports of switches: 100 full frames
    bool warm_arp = true;                ///< hardware addresses are known from the start
};

/// Hosts and their addresses.
struct Network
{
    ns3::NodeContainer hosts;
    std::vector<ns3::Ipv4Address> address;             ///< where host i is connected to
    std::map<ns3::Ipv4Address, int> host_of;           ///< by any address of an interface
    std::vector<ns3::Ptr<ns3::NetDevice>> devices;     ///< all of them, for what is counted
};

/// Builds "switch", "hub", "p-mesh" or "torus"; `shape` is "16" or "24x24".
Network BuildNetwork(const std::string& kind, const std::string& shape, const Wire& wire);
