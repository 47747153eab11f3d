//! Statements of many rows.
//!
//! SQLite would prepare one anew for every number of rows, and find each numbered place by its name: the two took a seventh of the
//! time of the thread that writes. So there the places have no numbers, and as many rows as make a power of two; those too many
//! are empty, and left out.

/// How the places of values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Places {
    /// `$1, $2`, as Postgres wants them.
    Numbered,
    /// `?, ?`, which SQLite counts.
    Counted,
}

impl Places {
    /// The places of so many rows: `($1, $2), ($3, $4)`.
    pub(super) fn rows(self, count: usize, width: usize) -> String {
        let place = |number: usize| match self {
            Self::Numbered => format!("${number}"),
            Self::Counted => "?".to_owned(),
        };
        let row = |at: usize| {
            let places: Vec<String> = (1..=width).map(|column| place(at * width + column)).collect();
            format!("({})", places.join(", "))
        };
        (0..count).map(row).collect::<Vec<_>>().join(", ")
    }

    /// An `INSERT` of so many rows, none of which begins with NULL; and how many values are to be NULL after theirs.
    pub(super) fn insert(self, count: usize, columns: Columns) -> (String, usize) {
        let Columns { table, names, on_conflict } = columns;
        let width = names.split(',').count();
        match self {
            Self::Numbered => {
                let rows = self.rows(count, width);
                (format!("INSERT INTO {table} ({names}) VALUES {rows} {on_conflict}"), 0)
            }
            Self::Counted => {
                let room = count.next_power_of_two();
                let rows = self.rows(room, width);
                let sql = format!(
                    "INSERT INTO {table} ({names}) SELECT * FROM (VALUES {rows}) WHERE column1 IS NOT NULL {on_conflict}"
                );
                (sql, (room - count) * width)
            }
        }
    }
}

/// Into what is inserted.
#[derive(Clone, Copy)]
pub(super) struct Columns {
    pub(super) table: &'static str,
    /// Their names, with commas between.
    pub(super) names: &'static str,
    /// What is done about rows that are there, if anything.
    pub(super) on_conflict: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_numbered_or_counted() {
        assert_eq!(Places::Numbered.rows(2, 3), "($1, $2, $3), ($4, $5, $6)");
        assert_eq!(Places::Counted.rows(2, 3), "(?, ?, ?), (?, ?, ?)");
        assert_eq!(Places::Numbered.rows(1, 1), "($1)");
    }

    #[test]
    fn there_is_a_statement_for_each_power_of_two_only() {
        let columns = Columns { table: "t", names: "a, b", on_conflict: "" };
        let insert = |count| Places::Counted.insert(count, columns);
        assert_eq!(insert(5).0, insert(8).0);
        assert_eq!([1, 2, 3, 5, 8, 64].map(|count| insert(count).1), [0, 0, 2, 6, 0, 0]);
        assert_eq!(Places::Numbered.insert(3, columns).1, 0);
    }
}
