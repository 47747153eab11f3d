//! What the binary is told to do.

use super::{Settings, TokenCommand};
use clap::{Parser, Subcommand};
use sayso_domain::ReviewId;
use std::path::PathBuf;

/// An agent asks; a person has the say-so.
#[derive(Parser)]
#[command(name = "sayso", version, about, args_conflicts_with_subcommands = true)]
pub struct Cli {
    /// What to do; `serve` where nothing is said.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// How to serve, where no subcommand is given.
    #[command(flatten)]
    pub settings: Settings,
}

/// What to do.
#[derive(Subcommand)]
pub enum Command {
    /// Serve the agents' tools and the reviewers' pages.
    Serve(Settings),
    /// The keys that sign what browsers carry back.
    #[command(subcommand)]
    Keys(Keys),
    /// The audit trail, to be carried away and proven.
    #[command(subcommand)]
    Audit(Audit),
    /// Copy the SQLite database into a file; a running server need not stop for it.
    Backup {
        /// Where the copy goes: a file that is not there yet
        file: PathBuf,
        /// Which database.
        #[command(flatten)]
        settings: Box<Settings>,
    },
    /// Agents' tokens.
    #[command(subcommand)]
    Token(TokenCommand),
    /// The people who have signed in.
    #[command(subcommand)]
    People(PeopleCommand),
}

/// What to do with the people who have signed in.
#[derive(Subcommand)]
pub enum PeopleCommand {
    /// Sign everybody out, at running servers as well.
    SignOutAll(Settings),
}

/// What to do with the audit trail.
#[derive(Subcommand)]
pub enum Audit {
    /// Write it to standard output as lines of JSON, with a signed head; a running server need not stop for it.
    Export {
        /// Only the entries of this request, which prove less
        #[arg(long, value_name = "ID", value_parser = a_review)]
        review: Option<ReviewId>,
        /// Which database.
        #[command(flatten)]
        settings: Box<Settings>,
    },
    /// Say whether an export is whole and unchanged; needs no database and no settings.
    Verify {
        /// The export, or - for standard input
        file: String,
        /// The hash of an entry, as it was published: it has to be in the export
        #[arg(long, value_name = "HASH")]
        head: Option<String>,
        /// The server's public keys, a JSON Web Key Set from elsewhere than the export
        #[arg(long, value_name = "FILE")]
        keys: Option<PathBuf>,
    },
}

fn a_review(text: &str) -> Result<ReviewId, &'static str> {
    text.parse().map_err(|_| "a request's id is 32 hexadecimal digits in lower case")
}

/// What to do with the signing keys.
#[derive(Subcommand)]
pub enum Keys {
    /// Make a new key for forms, for running servers as well; what the old one signed is honoured until it ends, within an hour.
    Rotate(Settings),
    /// Make a new key for receipts and the audit trail, for servers that start from now on; what the old one signed stays good.
    RotateSigning(Settings),
}
