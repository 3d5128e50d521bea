//! MPICH 1.1.0, whose collective layer is built on point-to-point messages and does not choose
//! algorithms by size [MPICH-1.1].

use crate::collective::Algorithm;
use crate::collective::Collective;

pub(super) fn choose(collective: Collective) -> Algorithm {
    match collective {
        Collective::Broadcast { .. } => Algorithm::BinomialCube,
        Collective::Reduce { .. } => Algorithm::Binomial,
        Collective::AllReduce { .. } | Collective::ReduceScatter { .. } => Algorithm::TwoSteps,
        Collective::Barrier => Algorithm::RecursiveDoubling,
        Collective::AllGather { .. } => Algorithm::Ring,
        Collective::AllToAll { .. } => Algorithm::Posted,
        Collective::Gather { .. } | Collective::Scatter { .. } => Algorithm::Linear,
    }
}
