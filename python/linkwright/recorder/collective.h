/* A call of a collective as a value: recorded as a call that blocks (collectives.h), as one that
 * does not (nonblocking.h), or kept to be started again and again (requests.h).
 */

/* Collectives that have no step of their own. */
enum {
    SCAN = 200, ALL_TO_ALL_BLOCKS, ALL_GATHER_BLOCKS, GATHER_BLOCKS, SCATTER_BLOCKS,
    REDUCE_SCATTER_BLOCKS, NEIGHBOURS
};

struct collective {
    const char *name;
    MPI_Comm comm;
    int kind, root, n_blocks;
    /* The tag of the messages of one that is kept, as ranks may start several in any order. */
    int tag;
    /* Bytes of a rank or a block; `blocks` has the bytes to or from each rank. */
    long long bytes, *blocks;
};

/* Ranks that take part, and the communicator and tag by which their messages match. */
struct group {
    int n, me;
    const int *world;
    int communicator, tag;
};

/* Messages of collectives: a tag that programs leave alone, with room above it for those that
 * collectives get when a recording is written as GOAL text. */
#define OWN_TAG (1 << 30)

static int begin(struct collective one);
static void start_between(struct collective one, int tag, int number);

static struct group group_of(MPI_Comm comm)
{
    const struct communicator *all = communicator_of(comm);
    if (!all)
        return (struct group){0, 0, NULL, 0, 0};
    return (struct group){all->own.n, all->own.me, all->own.world, all->number, OWN_TAG};
}

/* Bytes of data, 0 for what a call does not say at this rank. */
static long long size_of(long long count, MPI_Datatype type)
{
    MPI_Count bytes = 0;
    if (count <= 0 || type == MPI_DATATYPE_NULL)
        return 0;
    PMPI_Type_size_x(type, &bytes);
    return count * (long long)bytes;
}

static int tag_of(int tag)
{
    return tag == MPI_ANY_TAG ? ANY : tag;
}

/* Ranks of the other side, or of the only one. */
static int n_ends(MPI_Comm comm)
{
    const struct communicator *found = communicator_of(comm);
    return !found ? 0 : found->has_two_sides ? found->others.n : found->own.n;
}

static int rank_in(MPI_Comm comm)
{
    const struct communicator *found = communicator_of(comm);
    return found ? found->own.me : MPI_PROC_NULL;
}

static int has_two_sides(MPI_Comm comm)
{
    const struct communicator *found = communicator_of(comm);
    return found && found->has_two_sides;
}

/* Whether this rank has the root's part. */
static int is_root(int root, MPI_Comm comm)
{
    return has_two_sides(comm) ? root == MPI_ROOT : root == rank_in(comm);
}

static long long sum_of(struct collective one)
{
    long long bytes = 0;
    for (int i = 0; i < one.n_blocks; i++)
        bytes += one.blocks[i];
    return bytes;
}

/* The other side of two may have another number of ranks: each gets an equal part. */
static struct collective in_equal_parts(struct collective one)
{
    if (!has_two_sides(one.comm))
        return one;
    one.bytes = n_ends(one.comm) ? sum_of(one) / n_ends(one.comm) : 0;
    free(one.blocks);
    one.blocks = NULL;
    return one;
}
