/* Messages that are looked at before they are received, and the receives of such messages; the
 * other calls of messages are in message_calls.h.
 *
 * The wait of a probe is no computation, a look that finds nothing is.
 */

int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    enter();
    return leave(CALL(Probe, from, tag, comm, status));
}
FROM_FORTRAN(Probe);

int MPI_Iprobe(int from, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    int is_outer = enter(), result = CALL(Iprobe, from, tag, comm, flag, status);
    return tested(is_outer, *flag, result);
}
FROM_FORTRAN(Iprobe);

/* Messages that were taken out to be received, with their sender and tag. */
static struct matched {
    MPI_Message message;
    int from, tag, communicator;
} *matched;
static int n_matched;

static void keep(MPI_Message message, const MPI_Status *status, MPI_Comm comm)
{
    matched = enlarged(matched, n_matched + 1, sizeof *matched);
    matched[n_matched++] = (struct matched){message, end_of(status->MPI_SOURCE, comm),
                                            status->MPI_TAG, number_of(comm)};
}

static struct matched taken(const MPI_Message *message)
{
    for (int i = 0; message && i < n_matched; i++)
        if (matched[i].message == *message) {
            struct matched found = matched[i];
            matched[i] = matched[--n_matched];
            return found;
        }
    return (struct matched){MPI_MESSAGE_NULL, NOBODY, 0, 0};
}

int MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
    MPI_Status own, *found = status == MPI_STATUS_IGNORE ? &own : status;
    int is_outer = enter(), result = CALL(Mprobe, from, tag, comm, message, found);
    if (is_outer && result == MPI_SUCCESS)
        keep(*message, found, comm);
    return leave(result);
}
FROM_FORTRAN(Mprobe);

int MPI_Improbe(int from, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
                MPI_Status *status)
{
    MPI_Status own, *found = status == MPI_STATUS_IGNORE ? &own : status;
    int is_outer = enter(), result = CALL(Improbe, from, tag, comm, flag, message, found);
    if (is_outer && *flag)
        keep(*message, found, comm);
    return tested(is_outer, *flag, result);
}
FROM_FORTRAN(Improbe);

/* ---- calls that block ---- */

static void send_now(enum step step, int to, long long bytes, int tag, MPI_Comm comm)
{
    int end = end_of(to, comm);
    if (end != NOBODY)
        blocking_row(step, end, bytes, tag, number_of(comm));
}

/* The buffer is free again when its messages are sent. */
int MPI_Buffer_detach(void *buffer, int *size)
{
    if (enter())
        wait_for_buffered();
    return leave(CALL(Buffer_detach, buffer, size));
}
FROM_FORTRAN(Buffer_detach);

static void receive_now(int end, int tag, int communicator)
{
    if (end != NOBODY)
        blocking_row(RECEIVE, end, 0, tag, communicator);
}

/* A call that fails has moved nothing, except one that found no room for a whole message. */
static int moved(int result)
{
    int kind = MPI_SUCCESS;
    if (result != MPI_SUCCESS && call.depth == 1)
        PMPI_Error_class(result, &kind);
    if (kind != MPI_SUCCESS && kind != MPI_ERR_TRUNCATE && blocked == &call)
        drop_last();
    return leave(result);
}

/* The row of a receive with any tag says which it was, as the number of a request. */
static int received(int result, const MPI_Status *status)
{
    int kind = MPI_SUCCESS;
    if (result != MPI_SUCCESS && call.depth == 1)
        PMPI_Error_class(result, &kind);
    if (call.depth == 1 && (kind == MPI_SUCCESS || kind == MPI_ERR_TRUNCATE)) {
        call.found_tag = status->MPI_TAG + 1;
        if (blocked == &call && last.tag == ANY)
            last.number = call.found_tag;
    }
    return moved(result);
}

/* ---- both ways at once ---- */

/* The receive is posted, the send follows. */
static int exchange(int to, long long bytes, int send_tag, int from, int receive_tag, MPI_Comm comm,
                    int number)
{
    int communicator = number_of(comm), source = end_of(from, comm), target = end_of(to, comm);
    if (source != NOBODY)
        put(START_RECEIVE, source, 0, tag_of(receive_tag), number, communicator);
    if (target != NOBODY)
        put(START_SEND, target, bytes, send_tag, number, communicator);
    return 1;
}

static int exchanged(int has_begun, int result)
{
    if (has_begun)
        row(WAIT, OWN_NUMBER);
    return leave(result);
}
