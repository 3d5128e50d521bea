// Prints what SimGrid reads from a platform: latency and least bandwidth of every route, then the
// time of one stream of 1 GB from the first host to the second, and of one in each direction at once.
#include <algorithm>
#include <cstdio>
#include <simgrid/s4u.hpp>

namespace sg4 = simgrid::s4u;

static void stream(sg4::Mailbox* from, double bytes, bool sends) {
  static int payload;
  if (sends)
    from->put(&payload, static_cast<uint64_t>(bytes));
  else
    from->get<int>();
}

static double seconds(sg4::Engine& engine, bool both) {
  auto hosts = engine.get_all_hosts();
  double begin = sg4::Engine::get_clock();
  for (int way = 0; way < (both ? 2 : 1); ++way) {
    auto* box = sg4::Mailbox::by_name((both ? "both" : "one") + std::to_string(way));
    sg4::Actor::create("sends", hosts[way], stream, box, 1e9, true);
    sg4::Actor::create("gets", hosts[1 - way], stream, box, 1e9, false);
  }
  engine.run();
  return sg4::Engine::get_clock() - begin;
}

int main(int argc, char** argv) {
  sg4::Engine engine(&argc, argv);
  engine.load_platform(argv[1]);
  for (auto* a : engine.get_all_hosts())
    for (auto* b : engine.get_all_hosts()) {
      if (a == b)
        continue;
      std::vector<sg4::Link*> links;
      double latency = 0, bandwidth = 1e18;
      a->route_to(b, links, &latency);
      for (auto* link : links)
        bandwidth = std::min(bandwidth, link->get_bandwidth());
      std::printf("%s %s %.9g %.9g\n", a->get_cname(), b->get_cname(), latency, bandwidth);
    }
  bool both = argc > 2;
  std::printf("%.9g\n", seconds(engine, both));
}
