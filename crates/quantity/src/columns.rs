//! Tables by column, the form in which results leave the crates: each column is an array of numbers
//! that Python and the script of a page read where it lies.

/// One column of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Column<'a> {
    /// Codes.
    Bytes(&'a [u8]),
    /// Ids and counts.
    Words(&'a [u32]),
    /// Times and sizes.
    Numbers(&'a [f64]),
}

impl<'a> From<&'a Vec<u8>> for Column<'a> {
    fn from(values: &'a Vec<u8>) -> Column<'a> {
        Column::Bytes(values)
    }
}

impl<'a> From<&'a Vec<u32>> for Column<'a> {
    fn from(values: &'a Vec<u32>) -> Column<'a> {
        Column::Words(values)
    }
}

impl<'a> From<&'a Vec<f64>> for Column<'a> {
    fn from(values: &'a Vec<f64>) -> Column<'a> {
        Column::Numbers(values)
    }
}

/// A column with its name, which begins with that of its table.
pub type NamedColumn<'a> = (&'static str, Column<'a>);

/// Declares a table: the type of a row, and the type that has one vector per column.
#[macro_export]
macro_rules! columns {
    (
        $(#[$about:meta])*
        $table:literal: $columns:ident of $row:ident {
            $($(#[$meaning:meta])* $field:ident: $type:ty,)*
        }
    ) => {
        /// One row of a table.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $row {
            $($(#[$meaning])* pub $field: $type,)*
        }

        $(#[$about])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $columns {
            $($(#[$meaning])* pub $field: Vec<$type>,)*
        }

        impl $columns {
            /// Returns all columns.
            pub fn named(&self) -> Vec<$crate::NamedColumn<'_>> {
                vec![$((concat!($table, ".", stringify!($field)), (&self.$field).into()),)*]
            }
        }

        impl FromIterator<$row> for $columns {
            fn from_iter<I: IntoIterator<Item = $row>>(rows: I) -> $columns {
                let mut columns = $columns::default();
                for row in rows {
                    $(columns.$field.push(row.$field);)*
                }
                columns
            }
        }
    };
}
