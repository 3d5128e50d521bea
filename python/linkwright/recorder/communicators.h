/* Communicators: their ranks, their numbers in the file, and the calls that make them, which take
 * no time in a recording since they are made once and agreed on with a few bytes.
 *
 * The file defines each before its first row: its number, the communicator and tag that it was made
 * with, its ranks in MPI_COMM_WORLD and, after a slash, those of the other side if it has one. All
 * its ranks make communicators of the same origin and ranks in the same order, so the reader knows
 * it in every file.
 */

/* Sides that a rank of no communicator of MPI_COMM_WORLD has. */
struct members {
    int n, me, *world;
};

static struct communicator {
    int number, has_two_sides;
    /* Whether it has all ranks in their order. */
    int is_everyone;
    /* Collectives that did not block so far. */
    int n_later;
    struct members own, others;
} world_communicator, self_communicator;

static int communicator_key = MPI_KEYVAL_INVALID, n_communicators;

static void *enlarged(void *array, size_t n, size_t size)
{
    array = realloc(array, n * size);
    if (!array) {
        fprintf(stderr, "recorder: rank %d has no memory left\n", my_rank);
        abort();
    }
    return array;
}

static struct members members_of(MPI_Group group)
{
    struct members found;
    MPI_Group world;
    int *ranks;

    PMPI_Group_size(group, &found.n);
    PMPI_Group_rank(group, &found.me);
    ranks = enlarged(NULL, found.n + 1, sizeof *ranks);
    found.world = enlarged(NULL, found.n + 1, sizeof *found.world);
    for (int rank = 0; rank < found.n; rank++)
        ranks[rank] = rank;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_translate_ranks(group, found.n, ranks, world, found.world);
    PMPI_Group_free(&world);
    free(ranks);
    return found;
}

static int are_everyone(struct members all)
{
    int is_same = all.n == n_ranks;
    for (int rank = 0; is_same && rank < all.n; rank++)
        is_same = all.world[rank] == rank;
    return is_same;
}

static void describe(struct communicator *found, MPI_Comm comm)
{
    MPI_Group group;

    PMPI_Comm_test_inter(comm, &found->has_two_sides);
    PMPI_Comm_group(comm, &group);
    found->own = members_of(group);
    PMPI_Group_free(&group);
    if (found->has_two_sides) {
        PMPI_Comm_remote_group(comm, &group);
        found->others = members_of(group);
        PMPI_Group_free(&group);
    }
    found->is_everyone = !found->has_two_sides && are_everyone(found->own);
}

static void write_members(struct members all, const char *before)
{
    if (out)
        fputs(before, out);
    for (int rank = 0; out && rank < all.n; rank++)
        fprintf(out, " %d", all.world[rank] == MPI_UNDEFINED ? NOBODY : all.world[rank]);
}

/* Gives it its number; `origin` is the number of the one it was made from, -1 if unknown. */
static void define(struct communicator *made, int origin, int tag)
{
    made->number = n_communicators++;
    if (out)
        fprintf(out, "# communicator %d of %d by %d:", made->number, origin, tag);
    write_members(made->own, "");
    if (made->has_two_sides)
        write_members(made->others, " /");
    if (out)
        fputs("\n", out);
}

static void define_first(void)
{
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &communicator_key,
                            NULL);
    describe(&world_communicator, MPI_COMM_WORLD);
    describe(&self_communicator, MPI_COMM_SELF);
    n_communicators = 0;
    define(&world_communicator, -1, 0);
    define(&self_communicator, -1, 0);
}

static struct communicator *made(MPI_Comm comm, int origin, int tag)
{
    struct communicator *one = enlarged(NULL, 1, sizeof *one);
    *one = (struct communicator){0};
    describe(one, comm);
    define(one, origin, tag);
    PMPI_Comm_set_attr(comm, communicator_key, one);
    return one;
}

/* Returns NULL for what is no communicator, or where nothing is recorded. */
static struct communicator *communicator_of(MPI_Comm comm)
{
    struct communicator *found;
    int is_found;

    if (comm == MPI_COMM_NULL || communicator_key == MPI_KEYVAL_INVALID)
        return NULL;
    if (comm == MPI_COMM_WORLD)
        return &world_communicator;
    if (comm == MPI_COMM_SELF)
        return &self_communicator;
    PMPI_Comm_get_attr(comm, communicator_key, &found, &is_found);
    return is_found ? found : made(comm, -1, 0);
}

static int number_of(MPI_Comm comm)
{
    const struct communicator *found = communicator_of(comm);
    return found ? found->number : -1;
}

/* Returns the rank in MPI_COMM_WORLD of another, `NOBODY` where there is none. */
static int end_of(int rank, MPI_Comm comm)
{
    const struct communicator *found = communicator_of(comm);
    struct members ends;

    if (rank == MPI_PROC_NULL || !found)
        return NOBODY;
    if (rank == MPI_ANY_SOURCE)
        return ANY;
    ends = found->has_two_sides ? found->others : found->own;
    if (rank < 0 || rank >= ends.n)
        return NOBODY;
    if (ends.world[rank] == MPI_UNDEFINED) {
        left_out("a rank outside MPI_COMM_WORLD");
        return NOBODY;
    }
    return ends.world[rank];
}

/* ---- those that programs make ---- */

static int born(int is_outer, int result, MPI_Comm comm, int origin, int tag)
{
    if (is_outer && result == MPI_SUCCESS && comm != MPI_COMM_NULL)
        made(comm, origin, tag);
    return leave(result);
}

#define MAKING(name, parent, tag, parameters, ...)                                                 \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        int is_outer = enter(), origin = is_outer ? number_of(parent) : -1, result;                \
        if (is_outer)                                                                              \
            omitted("MPI_" #name, "", 1);                                                          \
        result = CALL(name, __VA_ARGS__);                                                          \
        return born(is_outer, result, *d, origin, tag);                                            \
    }                                                                                              \
    FROM_FORTRAN(name)

MAKING(Comm_dup, c, 0, (MPI_Comm c, MPI_Comm *d), c, d);
MAKING(Comm_dup_with_info, c, 0, (MPI_Comm c, MPI_Info i, MPI_Comm *d), c, i, d);
MAKING(Comm_split, c, 0, (MPI_Comm c, int a, int b, MPI_Comm *d), c, a, b, d);
MAKING(Comm_split_type, c, 0, (MPI_Comm c, int a, int b, MPI_Info i, MPI_Comm *d), c, a, b, i, d);
MAKING(Comm_create, c, 0, (MPI_Comm c, MPI_Group g, MPI_Comm *d), c, g, d);
MAKING(Comm_create_group, c, t + 1, (MPI_Comm c, MPI_Group g, int t, MPI_Comm *d), c, g, t, d);
MAKING(Cart_create, c, 0,
       (MPI_Comm c, int n, const int s[], const int p[], int r, MPI_Comm *d), c, n, s, p, r, d);
MAKING(Cart_sub, c, 0, (MPI_Comm c, const int k[], MPI_Comm *d), c, k, d);
MAKING(Graph_create, c, 0,
       (MPI_Comm c, int n, const int i[], const int e[], int r, MPI_Comm *d), c, n, i, e, r, d);
MAKING(Dist_graph_create, c, 0,
       (MPI_Comm c, int n, const int s[], const int k[], const int t[], const int w[], MPI_Info i,
        int r, MPI_Comm *d),
       c, n, s, k, t, w, i, r, d);
MAKING(Dist_graph_create_adjacent, c, 0,
       (MPI_Comm c, int n, const int s[], const int v[], int m, const int t[], const int w[],
        MPI_Info i, int r, MPI_Comm *d),
       c, n, s, v, m, t, w, i, r, d);
/* Both sides give their own communicator: they agree on the ranks and the tag. */
MAKING(Intercomm_create, MPI_COMM_NULL, t + 1,
       (MPI_Comm c, int a, MPI_Comm p, int b, int t, MPI_Comm *d), c, a, p, b, t, d);
MAKING(Intercomm_merge, c, 0, (MPI_Comm c, int h, MPI_Comm *d), c, h, d);
