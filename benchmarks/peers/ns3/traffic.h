// The steps of the ranks of a workload, over one TCP connection per pair of ranks: a message is a
// number of bytes of the stream. Every tool plays the same file of steps (see ../README.md).
#pragma once

#include "networks.h"

#include <cstdint>
#include <istream>
#include <map>
#include <vector>

/// Sends, or waits for, a message.
struct Step
{
    bool is_send;
    int peer;
    uint32_t bytes;
};

/// The steps of every rank, done `rounds` times.
struct Traffic
{
    uint32_t rounds = 0;
    std::vector<std::vector<Step>> steps;
};

/// Reads the lines "ranks N", "rounds N", then "rank send|receive peer bytes" per step.
Traffic ReadTraffic(std::istream& file);

/// When things happen: connections open before the start, or with it, handshake included.
struct Schedule
{
    ns3::Time connect = ns3::Seconds(0.5), start = ns3::Seconds(1);
    /// How long a rank takes to send. A socket of ns-3 sends what was written a nanosecond later,
    /// and all that was written meanwhile in one go, in the order in which sockets were written to.
    ns3::Time write = ns3::NanoSeconds(2);
};

/// Plays a traffic on a network; `Run` of the simulator returns when the last rank is done.
class Player
{
  public:
    Player(Network& network, const Traffic& traffic, Schedule schedule);

    /// Seconds from the start until the last rank was done; negative when one never was.
    double Duration() const;

    /// Calls `visit` with every socket once it is there.
    void OnSocket(ns3::Callback<void, ns3::Ptr<ns3::Socket>> visit);

  private:
    struct Connection
    {
        ns3::Ptr<ns3::Socket> socket;
        bool is_open = false;
        uint64_t unsent = 0, unread = 0;
    };

    struct Rank
    {
        size_t next = 0;
        uint32_t round = 0;
        bool is_writing = false, is_done = false;
        std::map<int, Connection> connections;
    };

    void Listen(int rank);
    void Connect(int rank, int peer);
    void Attach(int rank, int peer, ns3::Ptr<ns3::Socket> socket);
    void Opened(int rank, int peer);
    void Accepted(int rank, ns3::Ptr<ns3::Socket> socket, const ns3::Address& from);
    void Readable(int rank, int peer);
    void Feed(int rank, int peer);
    void Advance(int rank);
    void Written(int rank);
    bool Do(Rank& state, int rank, const Step& step);
    void Done(Rank& state);

    Network& network_;
    const Traffic& traffic_;
    Schedule schedule_;
    std::vector<Rank> ranks_;
    size_t n_done_ = 0;
    double end_ = -1;
    ns3::Callback<void, ns3::Ptr<ns3::Socket>> visit_;
};
