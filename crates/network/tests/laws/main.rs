//! Laws of the compiled network over random sizes: everything is reached, nothing loops, counted
//! values equal the formulas of the shape.

mod bisection;
mod fabrics;
mod faults;
mod grid;
mod shortest;
