//! Prefetching of memory. It is a hint to the hardware only, so a wrong guess changes nothing.

/// Prefetches the cache line in which a value begins.
#[inline]
pub fn prefetch<T>(value: &T) {
    prefetch_index::prefetch_index(std::slice::from_ref(value), 0);
}
