/* Ranks, sizes and tags as the recording has them: ranks are those of MPI_COMM_WORLD, tags stay as
 * they are.
 */

static long long size_of(long long count, MPI_Datatype type)
{
    int bytes;
    PMPI_Type_size(type, &bytes);
    return count * bytes;
}

/* The other side's ranks, of a communicator that has two sides. */
static void group_of(MPI_Comm comm, MPI_Group *group)
{
    int has_two_sides;
    PMPI_Comm_test_inter(comm, &has_two_sides);
    if (has_two_sides)
        PMPI_Comm_remote_group(comm, group);
    else
        PMPI_Comm_group(comm, group);
}

static int world_rank(int rank, MPI_Comm comm)
{
    MPI_Group group, world;
    int found;

    if (rank == MPI_ANY_SOURCE)
        return ANY;
    if (comm == MPI_COMM_WORLD)
        return rank;
    group_of(comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_translate_ranks(group, 1, &rank, world, &found);
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    if (found == MPI_UNDEFINED)
        left_out("a rank outside MPI_COMM_WORLD");
    return found;
}

static int end_of(int rank, MPI_Comm comm)
{
    return rank == MPI_PROC_NULL ? NOBODY : world_rank(rank, comm);
}

static int recorded_tag(int tag)
{
    return tag == MPI_ANY_TAG ? ANY : tag;
}

/* ---- who takes part in a collective ---- */

/* How many, which of them this rank is, and their ranks in MPI_COMM_WORLD; nobody where the
 * collective is not recorded. */
struct members {
    int n, me, *world;
};

static void *enlarged(void *array, size_t n, size_t size)
{
    array = realloc(array, n * size);
    if (!array)
        PMPI_Abort(MPI_COMM_WORLD, 1);
    return array;
}

static struct members members_of(MPI_Comm comm, const char *name)
{
    struct members all = {0, 0, NULL};
    MPI_Group group, world;
    int has_two_sides, *ranks;

    PMPI_Comm_test_inter(comm, &has_two_sides);
    if (has_two_sides) {
        omitted(name, " between two groups", 0);
        return all;
    }
    PMPI_Comm_size(comm, &all.n);
    PMPI_Comm_rank(comm, &all.me);
    ranks = enlarged(NULL, all.n, sizeof *ranks);
    all.world = enlarged(NULL, all.n, sizeof *all.world);
    for (int rank = 0; rank < all.n; rank++)
        ranks[rank] = rank;
    PMPI_Comm_group(comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_translate_ranks(group, all.n, ranks, world, all.world);
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    free(ranks);
    return all;
}

/* Whether they are all ranks in their order. */
static int are_everyone(struct members all)
{
    int is_same = all.n == n_ranks;
    for (int rank = 0; is_same && rank < all.n; rank++)
        is_same = all.world[rank] == rank;
    return is_same;
}
