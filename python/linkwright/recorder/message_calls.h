/* Calls of messages whose counts have one of two types: included for each. What they have in common
 * is in messages.h and requests.h.
 */

#define SENDING(name, step) EXPANDED(SENDING_, SIZED(name), step)
#define SENDING_(name, step)                                                                       \
    int MPI_##name(const void *data, COUNT count, MPI_Datatype type, int to, int tag,              \
                   MPI_Comm comm)                                                                  \
    {                                                                                              \
        if (enter())                                                                               \
            send_now(step, to, size_of(count, type), tag, comm);                                   \
        return moved(CALL(name, data, count, type, to, tag, comm));                                \
    }                                                                                              \
    FROM_FORTRAN(name)

SENDING(Send, SEND);
SENDING(Ssend, SYNC_SEND);
SENDING(Rsend, SEND);

int NAMED(Bsend)(const void *data, COUNT count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    if (enter()) {
        int place = start_buffered(end_of(to, comm), size_of(count, type), tag, number_of(comm));
        if (place >= 0)
            give_back(place);
    }
    return leave(CALL(SIZED(Bsend), data, count, type, to, tag, comm));
}
FROM_FORTRAN(SIZED(Bsend));

#define START_SENDING(name, begin) EXPANDED(START_SENDING_, SIZED(name), begin)
#define START_SENDING_(name, begin)                                                                \
    int MPI_##name(const void *data, COUNT count, MPI_Datatype type, int to, int tag,              \
                   MPI_Comm comm, MPI_Request *request)                                            \
    {                                                                                              \
        int place = -1;                                                                            \
        if (enter())                                                                               \
            place = begin(end_of(to, comm), size_of(count, type), tag, number_of(comm));           \
        return leave(hold(place, request, CALL(name, data, count, type, to, tag, comm, request))); \
    }                                                                                              \
    FROM_FORTRAN(name)

START_SENDING(Isend, start_standard);
START_SENDING(Issend, start_synchronous);
START_SENDING(Irsend, start_standard);
START_SENDING(Ibsend, start_buffered);

#define PREPARE_SENDING(name, given, buffered)                                                     \
    EXPANDED(PREPARE_SENDING_, SIZED(name), given, buffered)
#define PREPARE_SENDING_(name, given, buffered)                                                    \
    int MPI_##name(const void *data, COUNT count, MPI_Datatype type, int to, int tag,              \
                   MPI_Comm comm, MPI_Request *request)                                            \
    {                                                                                              \
        int is_outer = enter();                                                                    \
        int result = CALL(name, data, count, type, to, tag, comm, request);                        \
        if (is_outer && result == MPI_SUCCESS)                                                     \
            *prepare(*request) = (struct prepared){.request = *request,                            \
                                                   .step = given,                                  \
                                                   .is_buffered = buffered,                        \
                                                   .peer = end_of(to, comm),                       \
                                                   .bytes = size_of(count, type),                  \
                                                   .tag = tag,                                     \
                                                   .communicator = number_of(comm)};               \
        return leave(result);                                                                      \
    }                                                                                              \
    FROM_FORTRAN(name)

PREPARE_SENDING(Send_init, START_SEND, 0);
PREPARE_SENDING(Ssend_init, START_SYNC_SEND, 0);
PREPARE_SENDING(Rsend_init, START_SEND, 0);
PREPARE_SENDING(Bsend_init, START_SEND, 1);

int NAMED(Recv)(void *data, COUNT count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                MPI_Status *status)
{
    MPI_Status own, *found = status == MPI_STATUS_IGNORE ? &own : status;
    if (enter())
        receive_now(end_of(from, comm), tag_of(tag), number_of(comm));
    return received(CALL(SIZED(Recv), data, count, type, from, tag, comm, found), found);
}
FROM_FORTRAN(SIZED(Recv));

int NAMED(Irecv)(void *data, COUNT count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                 MPI_Request *request)
{
    int place = -1;
    if (enter())
        place = start(START_RECEIVE, end_of(from, comm), 0, tag_of(tag), number_of(comm));
    return leave(
        hold(place, request, CALL(SIZED(Irecv), data, count, type, from, tag, comm, request)));
}
FROM_FORTRAN(SIZED(Irecv));

int NAMED(Recv_init)(void *data, COUNT count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                     MPI_Request *request)
{
    int is_outer = enter();
    int result = CALL(SIZED(Recv_init), data, count, type, from, tag, comm, request);
    if (is_outer && result == MPI_SUCCESS)
        *prepare(*request) = (struct prepared){.request = *request,
                                               .step = START_RECEIVE,
                                               .peer = end_of(from, comm),
                                               .tag = tag_of(tag),
                                               .communicator = number_of(comm)};
    return leave(result);
}
FROM_FORTRAN(SIZED(Recv_init));

int NAMED(Mrecv)(void *data, COUNT count, MPI_Datatype type, MPI_Message *message,
                 MPI_Status *status)
{
    if (enter()) {
        struct matched one = taken(message);
        receive_now(one.from, one.tag, one.communicator);
    }
    return moved(CALL(SIZED(Mrecv), data, count, type, message, status));
}
FROM_FORTRAN(SIZED(Mrecv));

int NAMED(Imrecv)(void *data, COUNT count, MPI_Datatype type, MPI_Message *message,
                  MPI_Request *request)
{
    int place = -1;
    if (enter()) {
        struct matched one = taken(message);
        place = start(START_RECEIVE, one.from, 0, one.tag, one.communicator);
    }
    return leave(hold(place, request, CALL(SIZED(Imrecv), data, count, type, message, request)));
}
FROM_FORTRAN(SIZED(Imrecv));

int NAMED(Sendrecv)(const void *data, COUNT count, MPI_Datatype type, int to, int send_tag,
                    void *into, COUNT into_count, MPI_Datatype into_type, int from,
                    int receive_tag, MPI_Comm comm, MPI_Status *status)
{
    int has_begun = enter() && exchange(to, size_of(count, type), send_tag, from, receive_tag, comm,
                                        OWN_NUMBER);
    return exchanged(has_begun, CALL(SIZED(Sendrecv), data, count, type, to, send_tag, into,
                                     into_count, into_type, from, receive_tag, comm, status));
}
FROM_FORTRAN(SIZED(Sendrecv));

int NAMED(Sendrecv_replace)(void *data, COUNT count, MPI_Datatype type, int to, int send_tag,
                            int from, int receive_tag, MPI_Comm comm, MPI_Status *status)
{
    int has_begun = enter() && exchange(to, size_of(count, type), send_tag, from, receive_tag, comm,
                                        OWN_NUMBER);
    return exchanged(has_begun, CALL(SIZED(Sendrecv_replace), data, count, type, to, send_tag, from,
                                     receive_tag, comm, status));
}
FROM_FORTRAN(SIZED(Sendrecv_replace));

#if MPI_VERSION >= 4
int NAMED(Isendrecv)(const void *data, COUNT count, MPI_Datatype type, int to, int send_tag,
                     void *into, COUNT into_count, MPI_Datatype into_type, int from,
                     int receive_tag, MPI_Comm comm, MPI_Request *request)
{
    int place = enter() ? take_place() : -1;
    if (place >= 0)
        exchange(to, size_of(count, type), send_tag, from, receive_tag, comm, place + 1);
    return leave(hold(place, request,
                      CALL(SIZED(Isendrecv), data, count, type, to, send_tag, into, into_count,
                           into_type, from, receive_tag, comm, request)));
}
FROM_FORTRAN(SIZED(Isendrecv));

int NAMED(Isendrecv_replace)(void *data, COUNT count, MPI_Datatype type, int to, int send_tag,
                             int from, int receive_tag, MPI_Comm comm, MPI_Request *request)
{
    int place = enter() ? take_place() : -1;
    if (place >= 0)
        exchange(to, size_of(count, type), send_tag, from, receive_tag, comm, place + 1);
    return leave(hold(place, request,
                      CALL(SIZED(Isendrecv_replace), data, count, type, to, send_tag, from,
                           receive_tag, comm, request)));
}
FROM_FORTRAN(SIZED(Isendrecv_replace));
#endif

#undef SENDING
#undef SENDING_
#undef START_SENDING
#undef START_SENDING_
#undef PREPARE_SENDING
#undef PREPARE_SENDING_
