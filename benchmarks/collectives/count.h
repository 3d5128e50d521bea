/* The messages that this process has sent: counted where collectives of Open MPI hand them to the
 * point-to-point layer, and where MPICH hands them to UCX. MPICH copies what a process sends to
 * itself, which is not counted.
 */
#ifdef OPEN_MPI

/* The head of mca_pml_base_module_t, as in ompi/mca/pml/pml.h of 4.1. */
typedef int (*start_of_send)(const void *, size_t, MPI_Datatype, int, int, int, MPI_Comm,
                             MPI_Request *);
typedef int (*whole_send)(const void *, size_t, MPI_Datatype, int, int, int, MPI_Comm);
extern struct {
    void *others[9];
    start_of_send isend_init, isend;
    whole_send send;
} mca_pml;

static start_of_send next_init, next_isend;
static whole_send next_send;
static long sent[2 * 4096];

static void count(size_t elements, MPI_Datatype type, int to)
{
    int bytes;
    PMPI_Type_size(type, &bytes);
    sent[2 * to]++;
    sent[2 * to + 1] += elements * bytes;
}

/* A collective starts each request that it has made once. */
static int isend_init(const void *data, size_t n, MPI_Datatype type, int to, int tag, int mode,
                      MPI_Comm comm, MPI_Request *request)
{
    count(n, type, to);
    return next_init(data, n, type, to, tag, mode, comm, request);
}

static int isend(const void *data, size_t n, MPI_Datatype type, int to, int tag, int mode,
                 MPI_Comm comm, MPI_Request *request)
{
    count(n, type, to);
    return next_isend(data, n, type, to, tag, mode, comm, request);
}

static int send(const void *data, size_t n, MPI_Datatype type, int to, int tag, int mode,
                MPI_Comm comm)
{
    count(n, type, to);
    return next_send(data, n, type, to, tag, mode, comm);
}

static void begin_counting(void)
{
    next_init = mca_pml.isend_init, next_isend = mca_pml.isend, next_send = mca_pml.send;
    mca_pml.isend_init = isend_init, mca_pml.isend = isend, mca_pml.send = send;
}

static void read_counts(long *counts)
{
    int n;
    PMPI_Comm_size(MPI_COMM_WORLD, &n);
    memcpy(counts, sent, 2 * n * sizeof *sent);
}

#else /* MPICH over UCX */

#include <dlfcn.h>
#include <stdint.h>

/* As in ucp/api/ucp.h; a datatype of UCX has its kind in the low three bits, 0 for bytes in a row,
 * and the length of an element above. */
typedef struct {
    uint32_t op_attr_mask;
    uint32_t flags;
    void *request;
    void *cb;
    uint64_t datatype;
} params;

struct end {
    void *endpoint;
    int rank;
    long messages, bytes;
};

static struct end ends[4096];
static int n_ends;
/* Size of a message that tells the rank of its endpoint: PROBE + the rank. */
enum { PROBE = 70001 };

static struct end *end_of(void *endpoint)
{
    int i = 0;
    while (i < n_ends && ends[i].endpoint != endpoint)
        i++;
    if (i == n_ends)
        ends[n_ends++] = (struct end){endpoint, -1, 0, 0};
    return &ends[i];
}

static void count(void *endpoint, size_t elements, const params *given)
{
    /* Without bit 3 of the mask, elements are bytes. */
    uint64_t type = given->op_attr_mask & 8 ? given->datatype : 8;
    if (type & 7)
        MPI_Abort(MPI_COMM_WORLD, 2); /* data that do not lie in a row have no known length here */
    long bytes = elements * (type >> 3);
    struct end *end = end_of(endpoint);
    if (bytes >= PROBE && bytes < PROBE + 4096 && end->rank < 0)
        end->rank = bytes - PROBE;
    end->messages++;
    end->bytes += bytes;
}

void *ucp_tag_send_nbx(void *endpoint, const void *data, size_t n, uint64_t tag,
                       const params *given)
{
    static void *(*next)(void *, const void *, size_t, uint64_t, const params *);
    if (!next)
        next = dlsym(RTLD_NEXT, "ucp_tag_send_nbx");
    count(endpoint, n, given);
    return next(endpoint, data, n, tag, given);
}

/* Sends a message of another size to each rank, from which the ranks of the endpoints are known. */
static void begin_counting(void)
{
    int n, me;
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    char *data = calloc(2, PROBE + 4096);
    for (int to = 0; to < n; to++) {
        int peer = (to - me + n) % n; /* pairs, one at a time */
        if (peer != me)
            MPI_Sendrecv(data, PROBE + peer, MPI_BYTE, peer, 7, data + PROBE + 4096, PROBE + 4096,
                         MPI_BYTE, peer, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    free(data);
}

static void read_counts(long *counts)
{
    for (int i = 0; i < n_ends; i++)
        if (ends[i].rank >= 0) {
            counts[2 * ends[i].rank] = ends[i].messages;
            counts[2 * ends[i].rank + 1] = ends[i].bytes;
        }
}

#endif
