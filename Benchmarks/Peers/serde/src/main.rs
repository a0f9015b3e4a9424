//! serde_json as a worker: `serde-worker slices|stream|reader TASK FEED`. It loads the feed, and
//! for each line on standard input (`digest` or `run`) goes through it once and answers with one
//! line of JSON.

use serde::de::DeserializeOwned;
use std::io::{BufRead, BufReader, Write};
use std::time::Instant;

mod digest;
mod records;

use digest::{Builder, Record};
use records::{Outlines, Tiny, Tweet};

extern "C" {
    fn clock() -> std::os::raw::c_long;
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let (mode, task, path) = (&arguments[1], &arguments[2], &arguments[3]);
    let feed = std::fs::read(path).expect("the feed");
    let work: fn(&[u8], &str, bool) -> Builder = match task.as_str() {
        "tweets7" => go::<Tweet>,
        "numbers" => go::<Outlines>,
        "tiny" => go::<Tiny>,
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
        record.expect("a record").add(&mut builder);
    };
    match mode {
        "slices" => {
            let mut start = 0;
            for end in memchr::memchr_iter(b'\n', feed) {
                add(serde_json::from_slice(&feed[start..end]));
                start = end + 1;
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
