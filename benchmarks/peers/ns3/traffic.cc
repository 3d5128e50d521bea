// Every rank is always ready to read, and a send is over when its bytes wait at the socket: ranks
// wait for messages only. In each pair the rank with the higher number connects.
#include "traffic.h"

#include <string>

using namespace ns3;

namespace
{
const uint16_t PORT = 5000;
}

Traffic ReadTraffic(std::istream& file)
{
    Traffic traffic;
    std::string word;
    size_t n_ranks = 0;
    file >> word >> n_ranks >> word >> traffic.rounds;
    traffic.steps.resize(n_ranks);
    int rank = 0;
    Step step{};
    while (file >> rank >> word >> step.peer >> step.bytes)
    {
        step.is_send = word == "send";
        traffic.steps.at(rank).push_back(step);
    }
    return traffic;
}

Player::Player(Network& network, const Traffic& traffic, Schedule schedule)
    : network_(network), traffic_(traffic), schedule_(schedule), ranks_(traffic.steps.size())
{
    for (int rank = 0; rank < int(ranks_.size()); ++rank)
    {
        for (const Step& step : traffic.steps[rank])
        {
            ranks_[rank].connections[step.peer];
            ranks_[step.peer].connections[rank];
        }
        Listen(rank);
    }
    for (int rank = 0; rank < int(ranks_.size()); ++rank)
    {
        for (auto& [peer, connection] : ranks_[rank].connections)
            if (peer < rank)
                Simulator::Schedule(schedule.connect, &Player::Connect, this, rank, peer);
        Simulator::Schedule(schedule.start, &Player::Advance, this, rank);
    }
}

double Player::Duration() const
{
    return end_ < 0 ? -1 : end_ - schedule_.start.GetSeconds();
}

void Player::OnSocket(Callback<void, Ptr<Socket>> visit)
{
    visit_ = visit;
}

void Player::Listen(int rank)
{
    auto socket = Socket::CreateSocket(network_.hosts.Get(rank), TcpSocketFactory::GetTypeId());
    socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
    socket->Listen();
    socket->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                              MakeCallback(&Player::Accepted, this, rank));
}

void Player::Connect(int rank, int peer)
{
    auto socket = Socket::CreateSocket(network_.hosts.Get(rank), TcpSocketFactory::GetTypeId());
    Attach(rank, peer, socket);
    socket->SetConnectCallback(
        Callback<void, Ptr<Socket>>([=](Ptr<Socket>) { Opened(rank, peer); }),
        Callback<void, Ptr<Socket>>([](Ptr<Socket>) { NS_FATAL_ERROR("no connection"); }));
    socket->Bind();
    socket->Connect(InetSocketAddress(network_.address[peer], PORT));
}

void Player::Accepted(int rank, Ptr<Socket> socket, const Address& from)
{
    int peer = network_.host_of.at(InetSocketAddress::ConvertFrom(from).GetIpv4());
    Attach(rank, peer, socket);
    Opened(rank, peer);
}

void Player::Attach(int rank, int peer, Ptr<Socket> socket)
{
    ranks_[rank].connections[peer].socket = socket;
    socket->SetRecvCallback(
        Callback<void, Ptr<Socket>>([=](Ptr<Socket>) { Readable(rank, peer); }));
    socket->SetSendCallback(
        Callback<void, Ptr<Socket>, uint32_t>([=](Ptr<Socket>, uint32_t) { Feed(rank, peer); }));
    if (!visit_.IsNull())
        visit_(socket);
}

void Player::Opened(int rank, int peer)
{
    ranks_[rank].connections[peer].is_open = true;
    Feed(rank, peer);
}

void Player::Readable(int rank, int peer)
{
    Connection& connection = ranks_[rank].connections[peer];
    while (Ptr<Packet> packet = connection.socket->Recv())
    {
        if (packet->GetSize() == 0)
            break;
        connection.unread += packet->GetSize();
    }
    Advance(rank);
}

/// Hands over as much as the socket takes.
void Player::Feed(int rank, int peer)
{
    Connection& connection = ranks_[rank].connections[peer];
    while (connection.is_open && connection.unsent > 0)
    {
        uint64_t room = connection.socket->GetTxAvailable();
        uint32_t bytes = std::min<uint64_t>(connection.unsent, room);
        if (bytes == 0 || connection.socket->Send(Create<Packet>(bytes)) < 0)
            return;
        connection.unsent -= bytes;
    }
}

void Player::Advance(int rank)
{
    Rank& state = ranks_[rank];
    if (state.is_done || state.is_writing || Simulator::Now() < schedule_.start)
        return;
    const auto& steps = traffic_.steps[rank];
    while (state.round < traffic_.rounds)
    {
        while (state.next < steps.size())
        {
            if (!Do(state, rank, steps[state.next]))
                return;
            ++state.next;
            if (state.is_writing)
                return;
        }
        state.next = 0;
        ++state.round;
    }
    Done(state);
}

void Player::Written(int rank)
{
    ranks_[rank].is_writing = false;
    Advance(rank);
}

/// Does a step; returns false when it must wait for a message.
bool Player::Do(Rank& state, int rank, const Step& step)
{
    Connection& connection = state.connections.at(step.peer);
    if (step.is_send)
    {
        connection.unsent += step.bytes;
        Feed(rank, step.peer);
        state.is_writing = schedule_.write.IsStrictlyPositive();
        if (state.is_writing)
            Simulator::Schedule(schedule_.write, &Player::Written, this, rank);
        return true;
    }
    if (connection.unread < step.bytes)
        return false;
    connection.unread -= step.bytes;
    return true;
}

void Player::Done(Rank& state)
{
    state.is_done = true;
    if (++n_done_ < ranks_.size())
        return;
    end_ = Simulator::Now().GetSeconds();
    Simulator::Stop();
}
