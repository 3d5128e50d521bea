// ns-3 cannot bridge point-to-point devices, so a full-duplex switch is a router with one subnet
// per port; with CSMA wires, which are half duplex, it is a bridge. Addresses are 10.x.y.z with the
// place of the host in x and y, so that a switch needs one route per port.
#include "networks.h"

#include "ns3/bridge-module.h"
#include "ns3/csma-module.h"
#include "ns3/point-to-point-module.h"

#include <cstdlib>

using namespace ns3;

namespace
{

const char* const LINK_MASK = "255.255.255.252";

/// Two joined devices and the interface numbers they got.
struct Joint
{
    Ptr<NetDevice> near, far;
    uint32_t near_interface = 0, far_interface = 0;
};

Ipv4Address Address(int x, int y, int z)
{
    return Ipv4Address((10U << 24) | (uint32_t(x) << 16) | (uint32_t(y) << 8) | uint32_t(z));
}

Ptr<Ipv4StaticRouting> Routes(Ptr<Node> node)
{
    return Ipv4StaticRoutingHelper().GetStaticRouting(node->GetObject<Ipv4>());
}

/// Gives a device an address, without the queue discipline that ns-3's helper would install.
uint32_t GiveAddress(Ptr<NetDevice> device, Ipv4Address address, const char* mask)
{
    auto ip = device->GetNode()->GetObject<Ipv4>();
    uint32_t interface = ip->AddInterface(device);
    ip->AddAddress(interface, Ipv4InterfaceAddress(address, Ipv4Mask(mask)));
    ip->SetMetric(interface, 1);
    ip->SetUp(interface);
    return interface;
}

NetDeviceContainer Csma(const NodeContainer& nodes, const Wire& wire)
{
    CsmaHelper helper;
    helper.SetChannelAttribute("DataRate", StringValue(wire.rate));
    helper.SetChannelAttribute("Delay", StringValue(wire.delay));
    helper.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue(wire.host_queue));
    return helper.Install(nodes);
}

void SetQueue(Ptr<NetDevice> device, const std::string& size)
{
    DynamicCast<PointToPointNetDevice>(device)->GetQueue()->SetMaxSize(QueueSize(size));
}

/// Joins two nodes by a full-duplex wire. Without ns-3's flow control a full queue drops, and the
/// device counts it; with it the traffic control layer would, unseen.
Joint PointToPoint(Network& network, Ptr<Node> near, Ptr<Node> far, const Wire& wire,
                   bool to_switch)
{
    PointToPointHelper helper;
    helper.DisableFlowControl();
    helper.SetDeviceAttribute("DataRate", StringValue(wire.rate));
    Time gap = DataRate(wire.rate).CalculateBytesTxTime(wire.gap_bytes);
    helper.SetDeviceAttribute("InterframeGap", TimeValue(gap));
    helper.SetChannelAttribute("Delay", StringValue(wire.delay));
    NetDeviceContainer devices = helper.Install(near, far);
    SetQueue(devices.Get(0), wire.host_queue);
    SetQueue(devices.Get(1), to_switch ? wire.switch_queue : wire.host_queue);
    network.devices.push_back(devices.Get(0));
    network.devices.push_back(devices.Get(1));
    return {devices.Get(0), devices.Get(1)};
}

/// Joins host and switch on the subnet that begins before `z`; the switch has the next address.
Joint Plug(Network& network, int host, Ptr<Node> box, const Wire& wire, int x, int y, int z)
{
    Joint joint = PointToPoint(network, network.hosts.Get(host), box, wire, true);
    joint.near_interface = GiveAddress(joint.near, Address(x, y, z), LINK_MASK);
    joint.far_interface = GiveAddress(joint.far, Address(x, y, z + 1), LINK_MASK);
    network.host_of[Address(x, y, z)] = host;
    return joint;
}

/// Enters every device of a segment into the ARP cache of every other.
void WarmArp(const std::vector<Ptr<NetDevice>>& segment)
{
    for (auto& device : segment)
    {
        auto ip = device->GetNode()->GetObject<Ipv4L3Protocol>();
        auto cache = ip->GetInterface(ip->GetInterfaceForDevice(device))->GetArpCache();
        for (auto& other : segment)
        {
            if (other == device)
                continue;
            auto other_ip = other->GetNode()->GetObject<Ipv4L3Protocol>();
            uint32_t interface = other_ip->GetInterfaceForDevice(other);
            auto* entry = cache->Add(other_ip->GetAddress(interface, 0).GetLocal());
            entry->SetMacAddress(other->GetAddress());
            entry->MarkPermanent();
        }
    }
}

/// Makes one segment of devices of hosts: one address each, in one subnet.
void Segment(Network& network, const std::vector<Ptr<NetDevice>>& segment, const Wire& wire)
{
    for (size_t i = 0; i < segment.size(); ++i)
    {
        GiveAddress(segment[i], Address(0, 0, i + 1), "255.255.0.0");
        network.address.push_back(Address(0, 0, i + 1));
        network.host_of[Address(0, 0, i + 1)] = i;
    }
    if (wire.warm_arp)
        WarmArp(segment);
}

void BuildHub(Network& network, const Wire& wire)
{
    NetDeviceContainer devices = Csma(network.hosts, wire);
    network.devices.assign(devices.Begin(), devices.End());
    Segment(network, network.devices, wire);
}

void BuildBridge(Network& network, const Wire& wire)
{
    auto box = CreateObject<Node>();
    NetDeviceContainer ports;
    std::vector<Ptr<NetDevice>> segment;
    for (uint32_t i = 0; i < network.hosts.GetN(); ++i)
    {
        NetDeviceContainer devices = Csma(NodeContainer(network.hosts.Get(i), box), wire);
        segment.push_back(devices.Get(0));
        ports.Add(devices.Get(1));
        network.devices.insert(network.devices.end(), devices.Begin(), devices.End());
    }
    BridgeHelper().Install(box, ports);
    Segment(network, segment, wire);
}

void BuildRouter(Network& network, const Wire& wire)
{
    auto box = CreateObject<Node>();
    InternetStackHelper().Install(box);
    for (uint32_t i = 0; i < network.hosts.GetN(); ++i)
    {
        Joint joint = Plug(network, i, box, wire, 0, i, 1);
        Routes(network.hosts.Get(i))->SetDefaultRoute(Address(0, i, 2), joint.near_interface);
        network.address.push_back(Address(0, i, 1));
    }
}

/// A switch per row and per column. Every address of host (r, c) begins with 10.c.r, whichever
/// interface has it: first along the row to column c, then along the column to row r.
void BuildPMesh(Network& network, int n_rows, int n_columns, const Wire& wire)
{
    NodeContainer rows, columns;
    rows.Create(n_rows);
    columns.Create(n_columns);
    InternetStackHelper().Install(rows);
    InternetStackHelper().Install(columns);
    for (int host = 0; host < n_rows * n_columns; ++host)
    {
        int r = host / n_columns, c = host % n_columns;
        Joint row = Plug(network, host, rows.Get(r), wire, c, r, 1);
        Joint column = Plug(network, host, columns.Get(c), wire, c, r, 5);
        auto routes = Routes(network.hosts.Get(host));
        routes->SetDefaultRoute(Address(c, r, 2), row.near_interface);
        routes->AddNetworkRouteTo(Address(c, 0, 0), "255.255.0.0", Address(c, r, 6),
                                  column.near_interface);
        Routes(rows.Get(r))->AddNetworkRouteTo(Address(c, 0, 0), "255.255.0.0", Address(c, r, 1),
                                               row.far_interface);
        Routes(columns.Get(c))->AddNetworkRouteTo(Address(c, r, 0), "255.255.255.0",
                                                  Address(c, r, 5), column.far_interface);
        network.address.push_back(Address(c, r, 1));
    }
}

/// The interfaces of a host of a torus towards +x, -x, +y and -y, and who is there.
struct Sides
{
    uint32_t interface[4];
    Ipv4Address neighbour[4], own[4];
};

int Modulo(int a, int n)
{
    return (a % n + n) % n;
}

/// Returns whether `distance` round a ring of `n` is shorter upwards; a tie goes by `on_tie`.
bool IsUpwards(int distance, int n, bool on_tie)
{
    return 2 * distance == n ? on_tie : 2 * distance < n;
}

/// Returns the side on which host `from` sends to `to`: x first, the shorter way; on ties hosts
/// whose coordinates have an even sum send upwards.
int Side(int from, int to, int n_rows, int n_columns)
{
    bool on_tie = (from % n_columns + from / n_columns) % 2 == 0;
    int dx = Modulo(to % n_columns - from % n_columns, n_columns);
    int dy = Modulo(to / n_columns - from / n_columns, n_rows);
    if (dx)
        return IsUpwards(dx, n_columns, on_tie) ? 0 : 1;
    return IsUpwards(dy, n_rows, on_tie) ? 2 : 3;
}

void JoinNeighbours(Network& network, std::vector<Sides>& sides, int from, int to, int side,
                    const Wire& wire)
{
    auto& hosts = network.hosts;
    Joint joint = PointToPoint(network, hosts.Get(from), hosts.Get(to), wire, false);
    Ipv4Address near = Address(side / 2, from, 1), far = Address(side / 2, from, 2);
    sides[from].interface[side] = GiveAddress(joint.near, near, LINK_MASK);
    sides[to].interface[side + 1] = GiveAddress(joint.far, far, LINK_MASK);
    sides[from].neighbour[side] = sides[to].own[side + 1] = far;
    sides[to].neighbour[side + 1] = sides[from].own[side] = near;
    network.host_of[near] = from;
    network.host_of[far] = to;
}

void BuildTorus(Network& network, int n_rows, int n_columns, const Wire& wire)
{
    int n = n_rows * n_columns;
    std::vector<Sides> sides(n);
    for (int i = 0; i < n; ++i)
    {
        int r = i / n_columns, c = i % n_columns;
        JoinNeighbours(network, sides, i, r * n_columns + (c + 1) % n_columns, 0, wire);
        JoinNeighbours(network, sides, i, (r + 1) % n_rows * n_columns + c, 2, wire);
        network.address.push_back(sides[i].own[0]);
    }
    for (int from = 0; from < n; ++from)
        for (auto& [address, to] : network.host_of)
            if (to != from)
            {
                int side = Side(from, to, n_rows, n_columns);
                Routes(network.hosts.Get(from))
                    ->AddHostRouteTo(address, sides[from].neighbour[side],
                                     sides[from].interface[side]);
            }
}

} // namespace

Network BuildNetwork(const std::string& kind, const std::string& shape, const Wire& wire)
{
    int n_rows = std::atoi(shape.c_str());
    auto cross = shape.find('x');
    int n_columns = cross == std::string::npos ? 1 : std::atoi(shape.c_str() + cross + 1);
    Network network;
    network.hosts.Create(n_rows * n_columns);
    InternetStackHelper().Install(network.hosts);
    if (kind == "hub")
        BuildHub(network, wire);
    else if (kind == "switch" && wire.medium == "csma")
        BuildBridge(network, wire);
    else if (kind == "switch" && wire.medium == "p2p")
        BuildRouter(network, wire);
    else if (kind == "p-mesh" && wire.medium == "p2p")
        BuildPMesh(network, n_rows, n_columns, wire);
    else if (kind == "torus" && wire.medium == "p2p")
        BuildTorus(network, n_rows, n_columns, wire);
    else
        NS_FATAL_ERROR("no network " << kind << " of " << wire.medium << " wires");
    return network;
}
