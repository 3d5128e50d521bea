//! The tests of programs, one binary that is linked once.

mod background;
mod collectives;
mod goal;
mod interpreter;
mod programs;
mod recorded;
