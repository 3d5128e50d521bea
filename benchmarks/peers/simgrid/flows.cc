// Plays a file of traffic on a network of fluid flows in SimGrid and prints one line of JSON. Every
// message is one flow; a rank sends all of its messages at once, so this serves traffic whose ranks
// wait for nothing before they send.
#include "../process.h"

#include <simgrid/s4u.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace sg4 = simgrid::s4u;

namespace
{

const double BYTES_PER_SECOND = 12.5e6, DELAY_S = 1e-6;

struct Flow
{
    int source, destination;
    double bytes;
};

/// Hosts and the wires between them; a host of a P-Mesh has one to its row and one to its column.
struct Platform
{
    std::string kind;
    int n_columns = 1;
    sg4::NetZone* zone = nullptr;
    std::vector<sg4::Host*> hosts;
    std::vector<sg4::SplitDuplexLink*> first, second;
    sg4::Link* bus = nullptr;
};

std::vector<Flow> ReadFlows(const char* path)
{
    std::ifstream file(path);
    std::string word;
    int n_ranks = 0, rounds = 0;
    file >> word >> n_ranks >> word >> rounds;
    std::vector<Flow> flows;
    Flow flow{};
    while (file >> flow.source >> word >> flow.destination >> flow.bytes)
        if (word == "send")
            flows.push_back(flow);
    return flows;
}

sg4::SplitDuplexLink* Wire(Platform& platform, const std::string& name)
{
    auto* link = platform.zone->create_split_duplex_link(name, BYTES_PER_SECOND);
    link->set_latency(DELAY_S);
    link->seal();
    return link;
}

void AddHosts(Platform& platform, int n_hosts)
{
    for (int i = 0; i < n_hosts; ++i)
    {
        std::string name = std::to_string(i);
        platform.hosts.push_back(platform.zone->create_host(name, 1e9));
        platform.hosts.back()->seal();
        if (platform.kind != "hub")
            platform.first.push_back(Wire(platform, "first " + name));
        if (platform.kind == "p-mesh")
            platform.second.push_back(Wire(platform, "second " + name));
    }
    if (platform.kind == "hub")
    {
        platform.bus = platform.zone->create_link("bus", BYTES_PER_SECOND);
        platform.bus->set_latency(DELAY_S)->seal();
    }
}

/// Returns the wires from one host to another: on a P-Mesh along the row, then along the column.
std::vector<sg4::LinkInRoute> Way(const Platform& platform, int from, int to)
{
    using Direction = sg4::LinkInRoute::Direction;
    if (platform.bus)
        return {sg4::LinkInRoute(platform.bus)};
    std::vector<sg4::LinkInRoute> way;
    int n = platform.n_columns;
    int corner = platform.kind == "p-mesh" ? from / n * n + to % n : to;
    if (corner != from)
    {
        way.emplace_back(platform.first[from], Direction::UP);
        way.emplace_back(platform.first[corner], Direction::DOWN);
    }
    if (corner != to)
    {
        way.emplace_back(platform.second[corner], Direction::UP);
        way.emplace_back(platform.second[to], Direction::DOWN);
    }
    return way;
}

/// Declares the routes that are used, and those back, on which SimGrid charges acknowledgements.
void AddRoutes(Platform& platform, const std::vector<Flow>& flows)
{
    std::set<std::pair<int, int>> pairs;
    for (const Flow& flow : flows)
    {
        pairs.insert({flow.source, flow.destination});
        pairs.insert({flow.destination, flow.source});
    }
    for (auto [from, to] : pairs)
        platform.zone->add_route(platform.hosts[from]->get_netpoint(),
                                 platform.hosts[to]->get_netpoint(), nullptr, nullptr,
                                 Way(platform, from, to), false);
    platform.zone->seal();
}

} // namespace

int main(int argc, char** argv)
{
    sg4::Engine engine(&argc, argv);
    if (argc != 4)
    {
        std::fprintf(stderr, "usage: flows switch|hub|p-mesh SHAPE TRAFFIC\n");
        return 2;
    }
    Moment begin = ReadMoment();
    std::string shape = argv[2];
    auto cross = shape.find('x');
    Platform platform;
    platform.kind = argv[1];
    platform.n_columns = cross == std::string::npos ? 1 : std::atoi(shape.c_str() + cross + 1);
    platform.zone = sg4::create_full_zone("network");
    AddHosts(platform, std::atoi(shape.c_str()) * platform.n_columns);
    std::vector<Flow> flows = ReadFlows(argv[3]);
    AddRoutes(platform, flows);
    sg4::Actor::create("all", platform.hosts[0], [&] {
        std::vector<sg4::CommPtr> messages;
        for (const Flow& flow : flows)
            messages.push_back(sg4::Comm::sendto_async(platform.hosts[flow.source],
                                                       platform.hosts[flow.destination],
                                                       uint64_t(flow.bytes)));
        for (auto& message : messages)
            message->wait();
    });
    Moment built = ReadMoment();
    engine.run();
    Moment end = ReadMoment();
    std::printf("{\"simulated_s\": %.9f, \"setup_s\": %.6f, \"run_s\": %.6f, \"run_cpu_s\": %.6f, "
                "\"peak_bytes\": %ld}\n",
                sg4::Engine::get_clock(), built.wall_s - begin.wall_s, end.wall_s - built.wall_s,
                end.cpu_s - built.cpu_s, PeakBytes());
    return 0;
}
