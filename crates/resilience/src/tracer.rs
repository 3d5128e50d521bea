//! Traces of packets to one address. The next hop depends on the address and on the place of the
//! packet alone, a node or a port by which it came in, so that each place has at most one
//! successor: every place is visited once, and a loop is recognised.

use quantity::{Id, IdVec};

/// The action at a place: the packet goes to the next one, or ends with a number of hops to go.
pub type Next<P, L> = Result<P, Result<u32, L>>;

/// Follows packets to their ends and remembers these. `P` is a place, `L` the reason for a lost
/// packet.
#[derive(Debug)]
pub struct RouteTracer<P, L> {
    ends: IdVec<P, Option<Result<u32, L>>>,
    is_on_trail: IdVec<P, bool>,
    trail: Vec<P>,
    /// The places whose ends are known, each behind its successor and together with it.
    visited: Vec<(P, Option<P>)>,
}

impl<P: Id, L: Copy> RouteTracer<P, L> {
    /// Returns a tracer without any known end.
    pub fn new(n_places: u32) -> RouteTracer<P, L> {
        let (ends, is_on_trail) = (IdVec::filled(None, n_places), IdVec::filled(false, n_places));
        RouteTracer { ends, is_on_trail, trail: Vec::new(), visited: Vec::new() }
    }

    /// Returns the hops of a packet from a place, or the reason for its loss; `looped` is the
    /// reason given for a loop.
    pub fn trace(
        &mut self,
        first: P,
        looped: L,
        successor: impl Fn(P) -> Next<P, L>,
    ) -> Result<u32, L> {
        let mut place = first;
        let mut end = loop {
            if let Some(known) = self.ends[place] {
                break known;
            }
            if std::mem::replace(&mut self.is_on_trail[place], true) {
                break Err(looped);
            }
            match successor(place) {
                Ok(next) => {
                    self.trail.push(place);
                    place = next;
                }
                // The trace ends at this place itself, which must not count as a hop.
                Err(end) => {
                    self.ends[place] = Some(end);
                    self.visited.push((place, None));
                    break end;
                }
            }
        };
        while let Some(on_trail) = self.trail.pop() {
            end = end.map(|hops| hops + 1);
            self.ends[on_trail] = Some(end);
            self.visited.push((on_trail, Some(place)));
            place = on_trail;
        }
        end
    }

    /// Returns the places whose ends are known, each before its successor and together with it, and
    /// whether its packets arrive.
    pub fn farthest_first(&self) -> impl Iterator<Item = (P, Option<P>, bool)> {
        let arrives = |place: P| matches!(self.ends[place], Some(Ok(_)));
        self.visited.iter().rev().map(move |&(place, next)| (place, next, arrives(place)))
    }

    /// Forgets all ends.
    pub fn clear(&mut self) {
        for (place, _) in self.visited.drain(..) {
            self.ends[place] = None;
            self.is_on_trail[place] = false;
        }
    }
}
