//! Reductions by recursive halving, then an all-gather or a gather back along the same exchanges
//! [RABENSEIFNER-2004], as in MPICH and in Open MPI.

use super::fold::{Fold, n_extra};
use super::halving::{Division, halvings};
use super::script::Script;
use super::vector::Vector;
use crate::operation::Rank;

/// The differences between libraries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Form {
    /// How pairs of ranks begin where the number of ranks is no power of two.
    pub fold: Fold,
    /// How a part is divided.
    pub division: Division,
}

/// The form of Open MPI.
pub(super) const IN_HALVES: Form = Form { fold: Fold::InHalves, division: Division::InTheMiddle };

pub(super) fn write_all_reduce(script: &mut Script, form: Form, bytes: u64) {
    let vector = Vector::of_numbers(bytes);
    if let Some(number) = form.fold.begin(script, vector) {
        let steps = halvings(number, script.power_of_two(), vector, form.division);
        for step in &steps {
            let peer = form.fold.rank(script, number ^ step.distance);
            script.exchange(peer, step.left, peer);
        }
        for step in steps.iter().rev() {
            let peer = form.fold.rank(script, number ^ step.distance);
            script.exchange(peer, step.kept, peer);
        }
    }
    form.fold.end(script, bytes);
}

pub(super) fn write_reduce(script: &mut Script, form: Form, root: Rank, bytes: u64) {
    let vector = Vector::of_numbers(bytes);
    let n_halving = script.power_of_two();
    let mut number = form.fold.begin(script, vector);
    if let Some(number) = number {
        for step in halvings(number, n_halving, vector, form.division) {
            let peer = form.fold.rank(script, number ^ step.distance);
            script.exchange(peer, step.left, peer);
        }
    }
    // A root that does not continue takes the part and the place of number 0.
    let replaces = root.get() < 2 * n_extra(script) && !root.get().is_multiple_of(2);
    if replaces {
        let first = Rank::new(0);
        let steps = halvings(0, n_halving, vector, form.division);
        let part = steps.last().map_or(bytes, |step| step.kept);
        if script.rank == root {
            script.receive(first);
            number = Some(0);
        } else if number == Some(0) {
            script.send(root, part);
            number = None;
        }
    }
    if let Some(number) = number {
        gather(script, form, Gather { number, root, replaces }, vector);
    }
}

/// The gather of a reduction, of one of the ranks that continued.
#[derive(Clone, Copy)]
struct Gather {
    number: u32,
    root: Rank,
    /// Whether the root has the place of number 0.
    replaces: bool,
}

fn gather(script: &mut Script, form: Form, given: Gather, vector: Vector) {
    let Gather { number, root, replaces } = given;
    let n_extra = n_extra(script);
    let root_number = match root.get() {
        _ if replaces => 0,
        rank if rank < 2 * n_extra => rank / 2,
        rank => rank - n_extra,
    };
    let steps = halvings(number, script.power_of_two(), vector, form.division);
    for step in steps.iter().rev() {
        let other = number ^ step.distance;
        let peer = if other == 0 && replaces { root } else { form.fold.rank(script, other) };
        // The ranks whose lower bits differ from the root's have sent before.
        if other / step.distance == root_number / step.distance {
            script.send(peer, step.kept);
            return;
        }
        script.receive(peer);
    }
}
