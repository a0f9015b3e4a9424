//! serde_json as a worker: `serde-worker slices|stream|reader|bytes TASK FEED`. It loads the feed,
//! and for each line on standard input (`digest` or `run`) goes through it once and answers with
//! one line of JSON.
//!
//! `serde-worker command logs FEED` is no worker: it writes the output records, once.

use serde::de::DeserializeOwned;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::time::Instant;

mod catalogue;
mod digest;
mod logs;
mod records;
mod tweets;

use digest::{Builder, Record};
use records::{Outlines, Tiny, Tweet};

extern "C" {
    fn clock() -> std::os::raw::c_long;
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let (mode, task, path) = (&arguments[1], &arguments[2], &arguments[3]);
    if mode == "command" {
        assert!(task == "logs", "no command for {task}");
        return logs_command(path).expect("the feed, and standard output");
    }
    let feed = std::fs::read(path).expect("the feed");
    let work: fn(&[u8], &str, bool) -> Builder = match (task.as_str(), mode.as_str()) {
        ("logs", "bytes") => logs_to_bytes,
        ("logs", _) => go::<logs::Log>,
        ("tweets7", _) => go::<Tweet>,
        ("tweets-all", _) => go::<tweets::FullTweet>,
        ("catalogue", _) => go::<catalogue::Catalog>,
        ("numbers", _) => go::<Outlines>,
        ("tiny", _) => go::<Tiny>,
        _ => panic!("no task {task}"),
    };
    for request in std::io::stdin().lock().lines() {
        let hashes = request.expect("a request") == "digest";
        // SAFETY: clock() has no preconditions.
        let (wall, cpu) = (Instant::now(), unsafe { clock() });
        let builder = work(&feed, mode, hashes);
        let cpu = unsafe { clock() } - cpu;
        let answer = builder.json(wall.elapsed().as_secs_f64(), cpu as f64 / 1e6);
        println!("{answer}");
        std::io::stdout().flush().expect("standard output");
    }
}

/// Goes through the feed: a line at a time, or as one stream of values, from memory or from a
/// reader.
fn go<T: Record + DeserializeOwned>(feed: &[u8], mode: &str, hashes: bool) -> Builder {
    let mut builder = Builder::new(hashes);
    let mut add = |record: serde_json::Result<T>| {
        builder.count += 1;
        // Whole records are made, also of fields that no digest reads.
        std::hint::black_box(record.expect("a record")).add(&mut builder);
    };
    match mode {
        "slices" => {
            for line in lines(feed) {
                add(serde_json::from_slice(line));
            }
        }
        "stream" => serde_json::Deserializer::from_slice(feed).into_iter().for_each(add),
        "reader" => {
            let reader = BufReader::with_capacity(64 << 10, feed);
            serde_json::Deserializer::from_reader(reader).into_iter().for_each(add)
        }
        _ => panic!("no mode {mode}"),
    }
    builder
}

/// The lines, without their ends.
fn lines(feed: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut start = 0;
    memchr::memchr_iter(b'\n', feed).map(move |end| {
        let line = &feed[start..end];
        start = end + 1;
        line
    })
}

/// Writes each output record into memory.
fn logs_to_bytes(feed: &[u8], _: &str, hashes: bool) -> Builder {
    let mut builder = Builder::new(hashes);
    let mut output = Vec::new();
    for line in lines(feed) {
        builder.count += 1;
        output.clear();
        logs::write(line, &mut output).expect("a record");
        if hashes {
            let written: logs::Written = serde_json::from_slice(&output).expect("its output");
            written.add(&mut builder);
        } else {
            builder.integer(output.len() as i64, 1);
        }
    }
    builder
}

fn logs_command(path: &str) -> std::io::Result<()> {
    let mut feed = BufReader::with_capacity(256 << 10, std::fs::File::open(path)?);
    let mut output = BufWriter::with_capacity(256 << 10, std::io::stdout().lock());
    let mut line = Vec::new();
    while feed.read_until(b'\n', &mut line)? > 0 {
        logs::write(&line, &mut output)?;
        output.write_all(b"\n")?;
        line.clear();
    }
    output.flush()
}
