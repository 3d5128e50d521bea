//! Memory that is wanted before it is needed: only the hardware is asked for it, so a guess that
//! turns out wrong changes nothing.

/// Asks for the cache line in which a value begins.
#[inline]
pub fn prefetch<T>(value: &T) {
    prefetch_index::prefetch_index(std::slice::from_ref(value), 0);
}
