//! Maps a feed by a mapping file: output records go to standard output, what cannot be mapped to standard error.
//!
//! With the package that `scripts/package c` makes, from the root of the project:
//!
//!   export PKG_CONFIG_PATH=$PWD/release/c/lib/pkgconfig
//!   cargo run --offline --manifest-path Examples/Rust/Cargo.toml -- Examples/columns.map.yaml Examples/orders.ndjson

mod streammap;

use std::process::ExitCode;
use std::{env, error, io};

fn map(mapping: &str, feed: &str) -> Result<(i64, i64), Box<dyn error::Error>> {
    let mapping = streammap::Mapping::open(mapping, r#"{"errors":"skip"}"#)?;
    let mut records = streammap::Feed::open(&mapping, feed, |error| {
        eprintln!("rejected: record {}, line {}: {error}", error.record, error.line);
    })?;
    io::copy(&mut records, &mut io::stdout().lock())?;
    Ok(records.counts())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (mapping, feed) = match arguments.as_slice() {
        [mapping, feed] => (mapping, feed),
        _ => {
            eprintln!("usage: streammap-rows MAPPING FEED");
            return ExitCode::from(2);
        }
    };
    match map(mapping, feed) {
        Ok((mapped, rejected)) => {
            eprintln!("{mapped} mapped, {rejected} rejected");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("streammap-rows: {error}");
            ExitCode::FAILURE
        }
    }
}
