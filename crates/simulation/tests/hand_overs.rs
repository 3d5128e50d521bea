//! Transfers between ranks of one node arrive in the order in which their sender sent them,
//! whatever other ranks do meanwhile.

use host::Head;
use program::Rank;
use simulation::{HandOvers, Notice};

#[test]
fn a_rank_hands_over_in_its_own_order() {
    let [one, other, to] = [0, 3, 1].map(Rank::new);
    let head = |number| Head::new([number, 0, 0, 0]);
    let mut under_way = HandOvers::default();
    for (from, number) in [(one, 1), (other, 2), (one, 3), (other, 4)] {
        under_way.begin(from, to, head(number));
    }
    // Those of the other rank end first, as they do where its events come first.
    for (from, number) in [(other, 2), (other, 4), (one, 1), (one, 3)] {
        let arrived = Notice::Arrived { rank: to, from, head: head(number) };
        assert_eq!(under_way.end(from), arrived);
    }
}
