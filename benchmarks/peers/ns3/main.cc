// Plays a file of traffic on a network in ns-3 and prints one line of JSON: simulated seconds,
// seconds of computing, and with --count what was sent, lost and sent again.
//
// How TCP behaves is not set here: any attribute of ns-3 is an argument, such as
// --ns3::TcpSocket::InitialCwnd=4.
#include "../process.h"
#include "networks.h"
#include "traffic.h"

#include "ns3/point-to-point-module.h"

#include <cstdio>
#include <fstream>
#include <unordered_map>

using namespace ns3;

namespace
{

/// The counted events. The simulator has one thread.
struct Counts
{
    uint64_t frame_hops = 0, dropped = 0, backoffs = 0;
    uint64_t segments = 0, retransmissions = 0, timeouts = 0, recoveries = 0;
} counts;

/// The highest sequence number each socket has sent.
std::unordered_map<const TcpSocketBase*, SequenceNumber32> highest;

void OnTransmitted(Ptr<const Packet>)
{
    ++counts.frame_hops;
}

void OnDropped(Ptr<const Packet>)
{
    ++counts.dropped;
}

void OnBackoff(Ptr<const Packet>)
{
    ++counts.backoffs;
}

void OnSegment(Ptr<const Packet> packet, const TcpHeader& header, Ptr<const TcpSocketBase> socket)
{
    if (packet->GetSize() == 0 || header.GetFlags() & TcpHeader::SYN)
        return;
    ++counts.segments;
    auto [place, is_new] = highest.emplace(PeekPointer(socket), header.GetSequenceNumber());
    if (is_new || header.GetSequenceNumber() > place->second)
        place->second = header.GetSequenceNumber();
    else
        ++counts.retransmissions;
}

/// A time-out doubles the time-out; nothing else does to the nanosecond.
void OnTimeoutChanged(Time before, Time after)
{
    if (after == before + before)
        ++counts.timeouts;
}

void OnState(TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t state)
{
    if (state == TcpSocketState::CA_RECOVERY)
        ++counts.recoveries;
}

void CountDevices(const Network& network)
{
    for (auto& device : network.devices)
    {
        device->TraceConnectWithoutContext("PhyTxEnd", MakeCallback(&OnTransmitted));
        device->TraceConnectWithoutContext("MacTxDrop", MakeCallback(&OnDropped));
        device->TraceConnectWithoutContext("PhyTxDrop", MakeCallback(&OnDropped));
        device->TraceConnectWithoutContext("MacTxBackoff", MakeCallback(&OnBackoff));
    }
}

void CountSocket(Ptr<Socket> socket)
{
    socket->TraceConnectWithoutContext("Tx", MakeCallback(&OnSegment));
    socket->TraceConnectWithoutContext("RTO", MakeCallback(&OnTimeoutChanged));
    socket->TraceConnectWithoutContext("CongState", MakeCallback(&OnState));
}

void PrintCounts()
{
    std::printf(", \"frame_hops\": %lu, \"dropped\": %lu, \"backoffs\": %lu, \"segments\": %lu, "
                "\"retransmissions\": %lu, \"timeouts\": %lu, \"recoveries\": %lu",
                counts.frame_hops, counts.dropped, counts.backoffs, counts.segments,
                counts.retransmissions, counts.timeouts, counts.recoveries);
}

} // namespace

int main(int argc, char** argv)
{
    std::string kind, shape, path;
    bool is_counting = false, with_handshake = false;
    Wire wire;
    Schedule schedule;
    CommandLine command;
    command.AddValue("network", "switch, hub, p-mesh or torus", kind);
    command.AddValue("shape", "nodes, or rows x columns", shape);
    command.AddValue("traffic", "file of steps", path);
    command.AddValue("medium", "p2p or csma", wire.medium);
    command.AddValue("rate", "of every wire", wire.rate);
    command.AddValue("delay", "of every wire", wire.delay);
    command.AddValue("gap", "bytes of silence after a frame", wire.gap_bytes);
    command.AddValue("hostQueue", "of an interface", wire.host_queue);
    command.AddValue("switchQueue", "of a port of a switch", wire.switch_queue);
    command.AddValue("warmArp", "hardware addresses are known", wire.warm_arp);
    command.AddValue("handshake", "connections open at the start", with_handshake);
    command.AddValue("write", "time a rank takes to send", schedule.write);
    command.AddValue("count", "count frames and segments, which takes time", is_counting);
    command.Parse(argc, argv);

    Moment begin = ReadMoment();
    std::ifstream file(path);
    Traffic traffic = ReadTraffic(file);
    Network network = BuildNetwork(kind, shape, wire);
    if (with_handshake)
        schedule.connect = schedule.start;
    Player player(network, traffic, schedule);
    if (is_counting)
    {
        CountDevices(network);
        player.OnSocket(MakeCallback(&CountSocket));
    }
    Moment built = ReadMoment();
    Simulator::Stop(Seconds(7200));
    Simulator::Run();
    Moment end = ReadMoment();
    std::printf("{\"simulated_s\": %.9f, \"setup_s\": %.6f, \"run_s\": %.6f, \"run_cpu_s\": %.6f, "
                "\"peak_bytes\": %ld, \"events\": %lu",
                player.Duration(), built.wall_s - begin.wall_s, end.wall_s - built.wall_s,
                end.cpu_s - built.cpu_s, PeakBytes(), Simulator::GetEventCount());
    if (is_counting)
        PrintCounts();
    std::printf("}\n");
    return player.Duration() < 0;
}
