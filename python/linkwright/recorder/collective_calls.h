/* Calls of collectives whose counts have one of two types: included for each. Every collective is
 * described once, for the call that blocks, the one that does not and, in MPI 4, the one that only
 * prepares.
 */

/* Bytes of each of some blocks; one type, or one of each. */
static long long *SIZED(blocks_of)(int n, const COUNT counts[], MPI_Datatype type,
                                const MPI_Datatype types[])
{
    long long *found = enlarged(NULL, n + 1, sizeof *found);
    for (int i = 0; i < n; i++)
        found[i] = counts ? size_of(counts[i], types ? types[i] : type) : 0;
    return found;
}

#define LIST(...) __VA_ARGS__
#define ONE(...) ((struct collective){.comm = comm, __VA_ARGS__})
/* Those of equal blocks. */
#define EQUAL(a_kind, a_root, a_count, a_type)                                                     \
    ONE(.kind = a_kind, .root = a_root, .bytes = size_of(a_count, a_type))
#define UNEQUAL(a_kind, a_root, n, counts, type, types)                                            \
    ONE(.kind = a_kind, .root = a_root, .n_blocks = n,                                             \
        .blocks = SIZED(blocks_of)(n, counts, type, types))

#define NAMED_ONE(described, a_name)                                                               \
    (__extension__({                                                                               \
        struct collective one = described;                                                         \
        one.name = a_name;                                                                         \
        one;                                                                                       \
    }))

#define NOW(name, described, parameters, ...)                                                      \
    int MPI_##name(parameters, MPI_Comm comm)                                                      \
    {                                                                                              \
        if (enter())                                                                               \
            carry_out(NAMED_ONE(LIST(described), "MPI_" #name));                                   \
        return leave(CALL(name, __VA_ARGS__, comm));                                               \
    }                                                                                              \
    FROM_FORTRAN(name)

#define LATER(name, described, parameters, ...)                                                    \
    int MPI_##name(parameters, MPI_Comm comm, MPI_Request *request)                                \
    {                                                                                              \
        int place = enter() ? begin_once(NAMED_ONE(LIST(described), "MPI_" #name)) : -1;           \
        return leave(hold(place, request, CALL(name, __VA_ARGS__, comm, request)));                \
    }                                                                                              \
    FROM_FORTRAN(name)

#if MPI_VERSION >= 4
#define AGAIN(name, described, parameters, ...)                                                    \
    int MPI_##name(parameters, MPI_Comm comm, MPI_Info info, MPI_Request *request)                 \
    {                                                                                              \
        int is_outer = enter(), result = CALL(name, __VA_ARGS__, comm, info, request);             \
        if (is_outer && result == MPI_SUCCESS)                                                     \
            prepare(*request)->one = kept(NAMED_ONE(LIST(described), "MPI_" #name));               \
        return leave(result);                                                                      \
    }                                                                                              \
    FROM_FORTRAN(name)
#else
#define AGAIN(name, described, parameters, ...)                                                    \
    extern int no_calls_of_mpi_4
#endif

#define EACH_WAY(now, later, again, described, parameters, ...)                                    \
    EACH_WAY_(SIZED(now), SIZED(later), SIZED(again), LIST(described), LIST(parameters),           \
              __VA_ARGS__)
#define EACH_WAY_(now, later, again, described, parameters, ...)                                   \
    NOW(now, LIST(described), LIST(parameters), __VA_ARGS__);                                      \
    LATER(later, LIST(described), LIST(parameters), __VA_ARGS__);                                  \
    AGAIN(again, LIST(described), LIST(parameters), __VA_ARGS__)

EACH_WAY(Bcast, Ibcast, Bcast_init, EQUAL(BROADCAST, root, root == MPI_PROC_NULL ? 0 : n, t),
         LIST(void *a, COUNT n, MPI_Datatype t, int root), a, n, t, root);

#define REDUCING const void *a, void *b, COUNT n, MPI_Datatype t, MPI_Op op
EACH_WAY(Reduce, Ireduce, Reduce_init, EQUAL(REDUCE, root, root == MPI_PROC_NULL ? 0 : n, t),
         LIST(REDUCING, int root), a, b, n, t, op, root);
EACH_WAY(Allreduce, Iallreduce, Allreduce_init, EQUAL(ALL_REDUCE, 0, n, t), LIST(REDUCING), a, b, n,
         t, op);
EACH_WAY(Scan, Iscan, Scan_init, EQUAL(SCAN, 0, n, t), LIST(REDUCING), a, b, n, t, op);
EACH_WAY(Exscan, Iexscan, Exscan_init, EQUAL(SCAN, 0, n, t), LIST(REDUCING), a, b, n, t, op);
EACH_WAY(Reduce_scatter_block, Ireduce_scatter_block, Reduce_scatter_block_init,
         EQUAL(REDUCE_SCATTER, 0, n, t), LIST(REDUCING), a, b, n, t, op);
#undef REDUCING
/* The other side may have another number of ranks: they get equal parts. */
EACH_WAY(Reduce_scatter, Ireduce_scatter, Reduce_scatter_init,
         LIST(in_equal_parts(UNEQUAL(REDUCE_SCATTER_BLOCKS, 0, group_of(comm).n, n, t, NULL))),
         LIST(const void *a, void *b, const COUNT n[], MPI_Datatype t, MPI_Op op), a, b, n, t, op);

/* With MPI_IN_PLACE only the blocks that are received are given; they are those that are sent.
 * Between two sides the two may differ. */
#define BOTH const void *a, COUNT n, MPI_Datatype t, void *b, COUNT m, MPI_Datatype u
#define GIVEN(kind) has_two_sides(comm) ? EQUAL(kind, 0, n, t) : EQUAL(kind, 0, m, u)
EACH_WAY(Allgather, Iallgather, Allgather_init, GIVEN(ALL_GATHER), LIST(BOTH), a, n, t, b, m, u);
EACH_WAY(Alltoall, Ialltoall, Alltoall_init, GIVEN(ALL_TO_ALL), LIST(BOTH), a, n, t, b, m, u);
EACH_WAY(Gather, Igather, Gather_init,
         is_root(root, comm)     ? EQUAL(GATHER, root, m, u)
         : root == MPI_PROC_NULL ? EQUAL(GATHER, root, 0, t)
                                 : EQUAL(GATHER, root, n, t),
         LIST(BOTH, int root), a, n, t, b, m, u, root);
EACH_WAY(Scatter, Iscatter, Scatter_init,
         is_root(root, comm)     ? EQUAL(SCATTER, root, n, t)
         : root == MPI_PROC_NULL ? EQUAL(SCATTER, root, 0, u)
                                 : EQUAL(SCATTER, root, m, u),
         LIST(BOTH, int root), a, n, t, b, m, u, root);

EACH_WAY(Allgatherv, Iallgatherv, Allgatherv_init,
         has_two_sides(comm) ? EQUAL(ALL_GATHER, 0, n, t)
                             : UNEQUAL(ALL_GATHER_BLOCKS, 0, n_ends(comm), m, u, NULL),
         LIST(const void *a, COUNT n, MPI_Datatype t, void *b, const COUNT m[], const PLACE q[],
              MPI_Datatype u),
         a, n, t, b, m, q, u);
EACH_WAY(Gatherv, Igatherv, Gatherv_init,
         is_root(root, comm) || root == MPI_PROC_NULL ? EQUAL(GATHER_BLOCKS, root, 0, t)
                                                      : EQUAL(GATHER_BLOCKS, root, n, t),
         LIST(const void *a, COUNT n, MPI_Datatype t, void *b, const COUNT m[], const PLACE q[],
              MPI_Datatype u, int root),
         a, n, t, b, m, q, u, root);
EACH_WAY(Scatterv, Iscatterv, Scatterv_init,
         is_root(root, comm) ? UNEQUAL(SCATTER_BLOCKS, root, n_ends(comm), n, t, NULL)
                             : EQUAL(SCATTER_BLOCKS, root, 0, t),
         LIST(const void *a, const COUNT n[], const PLACE p[], MPI_Datatype t, void *b, COUNT m,
              MPI_Datatype u, int root),
         a, n, p, t, b, m, u, root);
EACH_WAY(Alltoallv, Ialltoallv, Alltoallv_init,
         a == MPI_IN_PLACE ? UNEQUAL(ALL_TO_ALL_BLOCKS, 0, n_ends(comm), m, u, NULL)
                           : UNEQUAL(ALL_TO_ALL_BLOCKS, 0, n_ends(comm), n, t, NULL),
         LIST(const void *a, const COUNT n[], const PLACE p[], MPI_Datatype t, void *b,
              const COUNT m[], const PLACE q[], MPI_Datatype u),
         a, n, p, t, b, m, q, u);
EACH_WAY(Alltoallw, Ialltoallw, Alltoallw_init,
         a == MPI_IN_PLACE ? UNEQUAL(ALL_TO_ALL_BLOCKS, 0, n_ends(comm), m, MPI_BYTE, u)
                           : UNEQUAL(ALL_TO_ALL_BLOCKS, 0, n_ends(comm), n, MPI_BYTE, t),
         LIST(const void *a, const COUNT n[], const PLACE p[], const MPI_Datatype t[], void *b,
              const COUNT m[], const PLACE q[], const MPI_Datatype u[]),
         a, n, p, t, b, m, q, u);

/* ---- with neighbours ---- */

EACH_WAY(Neighbor_allgather, Ineighbor_allgather, Neighbor_allgather_init,
         EQUAL(NEIGHBOURS, 0, n, t), LIST(BOTH), a, n, t, b, m, u);
EACH_WAY(Neighbor_alltoall, Ineighbor_alltoall, Neighbor_alltoall_init, EQUAL(NEIGHBOURS, 0, n, t),
         LIST(BOTH), a, n, t, b, m, u);
#undef BOTH
#undef GIVEN
EACH_WAY(Neighbor_allgatherv, Ineighbor_allgatherv, Neighbor_allgatherv_init,
         EQUAL(NEIGHBOURS, 0, n, t),
         LIST(const void *a, COUNT n, MPI_Datatype t, void *b, const COUNT m[], const PLACE q[],
              MPI_Datatype u),
         a, n, t, b, m, q, u);
EACH_WAY(Neighbor_alltoallv, Ineighbor_alltoallv, Neighbor_alltoallv_init,
         UNEQUAL(NEIGHBOURS, 0, n_neighbours(comm), n, t, NULL),
         LIST(const void *a, const COUNT n[], const PLACE p[], MPI_Datatype t, void *b,
              const COUNT m[], const PLACE q[], MPI_Datatype u),
         a, n, p, t, b, m, q, u);
EACH_WAY(Neighbor_alltoallw, Ineighbor_alltoallw, Neighbor_alltoallw_init,
         UNEQUAL(NEIGHBOURS, 0, n_neighbours(comm), n, MPI_BYTE, t),
         LIST(const void *a, const COUNT n[], const MPI_Aint p[], const MPI_Datatype t[], void *b,
              const COUNT m[], const MPI_Aint q[], const MPI_Datatype u[]),
         a, n, p, t, b, m, q, u);

#undef LIST
#undef ONE
#undef EQUAL
#undef UNEQUAL
#undef NAMED_ONE
#undef NOW
#undef LATER
#undef AGAIN
#undef EACH_WAY
#undef EACH_WAY_
