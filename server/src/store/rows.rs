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

/// What a column holds, where the database cannot know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Number,
}

impl Places {
    /// The places of so many rows: `($1, $2), ($3, $4)`.
    pub(super) fn rows(self, count: usize, width: usize) -> String {
        self.written(count, width, |_, place| place)
    }

    /// Rows to be joined with: the places of so many, each with the kind of its column; and how many values are to be NULL after
    /// theirs.
    pub(super) fn rows_of(self, count: usize, kinds: &[Kind]) -> (String, usize) {
        let room = self.room(count);
        let rows = self.written(room, kinds.len(), |column, place| match kinds[column] {
            Kind::Text => format!("CAST({place} AS TEXT)"),
            Kind::Number => format!("CAST({place} AS BIGINT)"),
        });
        (rows, (room - count) * kinds.len())
    }

    /// An `INSERT` of so many rows, none of which begins with NULL; and how many values are to be NULL after theirs.
    pub(super) fn insert(self, count: usize, columns: Columns) -> (String, usize) {
        let Columns { table, names, on_conflict } = columns;
        let width = names.split(',').count();
        let room = self.room(count);
        let rows = self.rows(room, width);
        let values = match self {
            Self::Numbered => format!("VALUES {rows}"),
            Self::Counted => format!("SELECT * FROM (VALUES {rows}) WHERE column1 IS NOT NULL"),
        };
        (format!("INSERT INTO {table} ({names}) {values} {on_conflict}"), (room - count) * width)
    }

    /// How many rows there are for so many.
    fn room(self, count: usize) -> usize {
        match self {
            Self::Numbered => count,
            Self::Counted => count.next_power_of_two(),
        }
    }

    fn written(self, count: usize, width: usize, write: impl Fn(usize, String) -> String) -> String {
        let place = |number: usize| match self {
            Self::Numbered => format!("${number}"),
            Self::Counted => "?".to_owned(),
        };
        let row = |row: usize| {
            let places: Vec<String> =
                (0..width).map(|column| write(column, place(row * width + column + 1))).collect();
            format!("({})", places.join(", "))
        };
        (0..count).map(row).collect::<Vec<_>>().join(", ")
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
        let (rows, spare) = Places::Numbered.rows_of(1, &[Kind::Text, Kind::Number]);
        assert_eq!((rows.as_str(), spare), ("(CAST($1 AS TEXT), CAST($2 AS BIGINT))", 0));
    }

    #[test]
    fn there_is_a_statement_for_each_power_of_two_only() {
        let columns = Columns { table: "t", names: "a, b", on_conflict: "" };
        let insert = |count| Places::Counted.insert(count, columns);
        assert_eq!(insert(5).0, insert(8).0);
        assert_eq!([1, 2, 3, 5, 8, 64].map(|count| insert(count).1), [0, 0, 2, 6, 0, 0]);
        assert_eq!(Places::Numbered.insert(3, columns).1, 0);
        let (rows, spare) = Places::Counted.rows_of(3, &[Kind::Text, Kind::Number]);
        assert_eq!((rows.matches('?').count(), spare), (8, 2));
    }
}
