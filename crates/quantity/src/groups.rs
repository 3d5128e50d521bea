//! Values in groups: the values of each id, all of them in one vector. Examples are the ports on a
//! segment and the addresses of a node.

use std::marker::PhantomData;

use crate::Id;

/// The values that belong to each id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Groups<I, T> {
    /// The values of id i are `values[start[i]..start[i + 1]]`.
    start: Vec<u32>,
    values: Vec<T>,
    of: PhantomData<fn(I)>,
}

impl<I: Id, T: Copy> Groups<I, T> {
    /// Puts values into `n` groups, each in input order.
    pub fn new<P: Iterator<Item = (I, T)>>(n: u32, pairs: impl Fn() -> P) -> Groups<I, T> {
        let mut start = vec![0u32; n as usize + 1];
        pairs().for_each(|(id, _)| start[id.index() + 1] += 1);
        (0..n as usize).for_each(|id| start[id + 1] += start[id]);
        let mut values = Vec::new();
        if let Some((_, any)) = pairs().next() {
            values.resize(start[n as usize] as usize, any);
        }
        let mut next = start.clone();
        for (id, value) in pairs() {
            let place = &mut next[id.index()];
            values[*place as usize] = value;
            *place += 1;
        }
        Groups { start, values, of: PhantomData }
    }
}

impl<I: Id, T> Groups<I, T> {
    /// Returns the values of an id.
    #[inline]
    pub fn of(&self, id: I) -> &[T] {
        &self.values[self.start[id.index()] as usize..self.start[id.index() + 1] as usize]
    }

    /// Returns the number of groups.
    pub fn n(&self) -> u32 {
        self.start.len().saturating_sub(1) as u32
    }
}

impl<I, T> Default for Groups<I, T> {
    fn default() -> Groups<I, T> {
        Groups { start: Vec::new(), values: Vec::new(), of: PhantomData }
    }
}

#[cfg(test)]
mod tests {
    use crate::Groups;

    crate::id! { NodeId; }

    #[test]
    fn each_group_keeps_the_order_of_its_values() {
        let pairs = [(2, 'a'), (0, 'b'), (2, 'c'), (0, 'd'), (2, 'e')];
        let groups = Groups::new(4, || pairs.iter().map(|&(id, value)| (NodeId::new(id), value)));
        let of = |id| groups.of(NodeId::new(id));
        assert_eq!([of(0), of(1), of(2), of(3)], [&['b', 'd'][..], &[], &['a', 'c', 'e'], &[]]);
        assert_eq!((groups.n(), Groups::<NodeId, char>::default().n()), (4, 0));
    }
}
