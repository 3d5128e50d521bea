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

/* Whether a collective is of all ranks in their order; others are not recorded. */
static int is_of_all(MPI_Comm comm, const char *name)
{
    int same;

    if (comm == MPI_COMM_WORLD)
        return 1;
    PMPI_Comm_compare(comm, MPI_COMM_WORLD, &same);
    if (same == MPI_IDENT || same == MPI_CONGRUENT)
        return 1;
    omitted(name, " on a part of the ranks", 0);
    return 0;
}
