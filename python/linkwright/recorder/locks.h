/* Locks of windows: requests that the library of the target grants, by the rules of MPI: exclusive
 * locks exclude each other and shared ones. It says so when the lock is granted, and a lock without
 * a check (MPI_MODE_NOCHECK) is none. Which lock has to wait is decided in the run that is played.
 */

static void lock_at(struct window *one, int kind, int rank, int assertion)
{
    if (target_of(one, rank) == NOBODY || assertion & MPI_MODE_NOCHECK)
        return;
    ask(one, rank, kind == MPI_LOCK_EXCLUSIVE ? EXCLUSIVE_TAG : SHARED_TAG);
    row(WAIT, one->number);
    one->at[rank].is_locked = 1;
}

/* The reply to the end of a lock completes all operations of the lock. */
static void end_lock(struct window *one, int rank)
{
    if (!one->at[rank].is_locked)
        finish_at(one, rank);
    else
        ask(one, rank, UNLOCK_TAG);
    one->at[rank] = (struct target){0, 0};
}

static void unlock_at(struct window *one, int rank)
{
    if (target_of(one, rank) != NOBODY)
        end_lock(one, rank);
    row(WAIT, one->number);
}

static void unlock_everywhere(struct window *one)
{
    for (int rank = 0; rank < one->all.n; rank++)
        end_lock(one, rank);
    one->locks_all = 0;
    row(WAIT, one->number);
}

COMPLETING(Win_lock, lock_at(one, t, r, a), (int t, int r, int a, MPI_Win w), t, r, a, w);
COMPLETING(Win_unlock, unlock_at(one, r), (int r, MPI_Win w), r, w);
COMPLETING(Win_lock_all, one->locks_all = !(a & MPI_MODE_NOCHECK), (int a, MPI_Win w), a, w);
COMPLETING(Win_unlock_all, unlock_everywhere(one), (MPI_Win w), w);
