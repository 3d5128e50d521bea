/* Messages between two ranks: sends of all modes, receives, both at once, prepared ones, and those
 * that are looked at before they are received.
 */

#define SENDING(name)                                                                              \
    int MPI_##name(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) \
    {                                                                                              \
        if (enter() && to != MPI_PROC_NULL)                                                        \
            row(SEND, world_rank(to, comm), size_of(count, type), tag, 0);                         \
        return leave(NEXT(name)(data, count, type, to, tag, comm));                                \
    }                                                                                              \
    FROM_FORTRAN(name)

SENDING(Send);
SENDING(Ssend);
SENDING(Rsend);
SENDING(Bsend);

#define START_SENDING(name)                                                                        \
    int MPI_##name(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, \
                   MPI_Request *request)                                                           \
    {                                                                                              \
        int place = -1;                                                                            \
        if (enter())                                                                               \
            place = start(START_SEND, end_of(to, comm), size_of(count, type), tag);                \
        return leave(                                                                              \
            hold(place, request, NEXT(name)(data, count, type, to, tag, comm, request)));          \
    }                                                                                              \
    FROM_FORTRAN(name)

START_SENDING(Isend);
START_SENDING(Issend);
START_SENDING(Irsend);
START_SENDING(Ibsend);

#define PREPARE_SENDING(name)                                                                      \
    int MPI_##name(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, \
                   MPI_Request *request)                                                           \
    {                                                                                              \
        int is_outer = enter();                                                                    \
        int result = NEXT(name)(data, count, type, to, tag, comm, request);                        \
        if (is_outer)                                                                              \
            prepare(*request, START_SEND, end_of(to, comm), size_of(count, type), tag);            \
        return leave(result);                                                                      \
    }                                                                                              \
    FROM_FORTRAN(name)

PREPARE_SENDING(Send_init);
PREPARE_SENDING(Ssend_init);
PREPARE_SENDING(Rsend_init);
PREPARE_SENDING(Bsend_init);

int MPI_Recv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status *status)
{
    if (enter() && from != MPI_PROC_NULL)
        row(RECEIVE, world_rank(from, comm), 0, recorded_tag(tag), 0);
    return leave(NEXT(Recv)(data, count, type, from, tag, comm, status));
}
FROM_FORTRAN(Recv);

int MPI_Irecv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    int place = -1;
    if (enter())
        place = start(START_RECEIVE, end_of(from, comm), 0, recorded_tag(tag));
    return leave(hold(place, request, NEXT(Irecv)(data, count, type, from, tag, comm, request)));
}
FROM_FORTRAN(Irecv);

int MPI_Recv_init(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                  MPI_Request *request)
{
    int is_outer = enter();
    int result = NEXT(Recv_init)(data, count, type, from, tag, comm, request);
    if (is_outer)
        prepare(*request, START_RECEIVE, end_of(from, comm), 0, recorded_tag(tag));
    return leave(result);
}
FROM_FORTRAN(Recv_init);

/* ---- both ways at once ---- */

/* Of what is started and waited for within a call: above the numbers of requests. */
#define OWN_NUMBER (1 << 30)

/* The receive is posted, the send follows, both are waited for. */
static void exchange(int to, long long bytes, int send_tag, int from, int receive_tag)
{
    if (from != NOBODY)
        row(START_RECEIVE, from, 0, receive_tag, OWN_NUMBER);
    if (to != NOBODY)
        row(START_SEND, to, bytes, send_tag, OWN_NUMBER);
    row(WAIT, 0, 0, 0, OWN_NUMBER);
}

int MPI_Sendrecv(const void *data, int count, MPI_Datatype type, int to, int send_tag, void *into,
                 int into_count, MPI_Datatype into_type, int from, int receive_tag, MPI_Comm comm,
                 MPI_Status *status)
{
    if (enter())
        exchange(end_of(to, comm), size_of(count, type), send_tag, end_of(from, comm),
                 recorded_tag(receive_tag));
    return leave(NEXT(Sendrecv)(data, count, type, to, send_tag, into, into_count, into_type, from,
                                receive_tag, comm, status));
}
FROM_FORTRAN(Sendrecv);

int MPI_Sendrecv_replace(void *data, int count, MPI_Datatype type, int to, int send_tag, int from,
                         int receive_tag, MPI_Comm comm, MPI_Status *status)
{
    if (enter())
        exchange(end_of(to, comm), size_of(count, type), send_tag, end_of(from, comm),
                 recorded_tag(receive_tag));
    return leave(NEXT(Sendrecv_replace)(data, count, type, to, send_tag, from, receive_tag, comm,
                                        status));
}
FROM_FORTRAN(Sendrecv_replace);

/* ---- looked at first: the wait is no computation, a look that finds nothing is ---- */

int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    enter();
    return leave(NEXT(Probe)(from, tag, comm, status));
}
FROM_FORTRAN(Probe);

int MPI_Iprobe(int from, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    int is_outer = enter(), result = NEXT(Iprobe)(from, tag, comm, flag, status);
    return tested(is_outer, *flag, result);
}
FROM_FORTRAN(Iprobe);

/* Messages that were taken out to be received, with their sender and tag. */
static struct matched {
    MPI_Message message;
    int from, tag;
} *matched;
static int n_matched;

static void keep(MPI_Message message, const MPI_Status *status, MPI_Comm comm)
{
    matched = enlarged(matched, n_matched + 1, sizeof *matched);
    matched[n_matched++] =
        (struct matched){message, end_of(status->MPI_SOURCE, comm), status->MPI_TAG};
}

static struct matched taken(MPI_Message message)
{
    for (int i = 0; i < n_matched; i++)
        if (matched[i].message == message) {
            struct matched found = matched[i];
            matched[i] = matched[--n_matched];
            return found;
        }
    return (struct matched){message, NOBODY, 0};
}

int MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
    MPI_Status own, *told = status == MPI_STATUS_IGNORE ? &own : status;
    int is_outer = enter(), result = NEXT(Mprobe)(from, tag, comm, message, told);
    if (is_outer)
        keep(*message, told, comm);
    return leave(result);
}
FROM_FORTRAN(Mprobe);

int MPI_Improbe(int from, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
                MPI_Status *status)
{
    MPI_Status own, *told = status == MPI_STATUS_IGNORE ? &own : status;
    int is_outer = enter(), result = NEXT(Improbe)(from, tag, comm, flag, message, told);
    if (is_outer && *flag)
        keep(*message, told, comm);
    return tested(is_outer, *flag, result);
}
FROM_FORTRAN(Improbe);

int MPI_Mrecv(void *data, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status)
{
    if (enter()) {
        struct matched one = taken(*message);
        if (one.from != NOBODY)
            row(RECEIVE, one.from, 0, one.tag, 0);
    }
    return leave(NEXT(Mrecv)(data, count, type, message, status));
}
FROM_FORTRAN(Mrecv);

int MPI_Imrecv(void *data, int count, MPI_Datatype type, MPI_Message *message,
               MPI_Request *request)
{
    int place = -1;
    if (enter()) {
        struct matched one = taken(*message);
        place = start(START_RECEIVE, one.from, 0, one.tag);
    }
    return leave(hold(place, request, NEXT(Imrecv)(data, count, type, message, request)));
}
FROM_FORTRAN(Imrecv);
