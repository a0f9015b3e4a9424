//! Lines of a log: with owned texts; and as output records, renamed and flat, with borrowed ones.

use crate::digest::{Builder, Record};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::io::Write;

#[derive(Deserialize)]
pub struct Log {
    time: String,
    level: String,
    service: String,
    trace_id: String,
    user_id: i64,
    http: Http,
    tags: Vec<String>,
    message: String,
}

#[derive(Deserialize)]
struct Http {
    method: String,
    path: String,
    status: i64,
    ms: f64,
}

impl Record for Log {
    fn add(&self, builder: &mut Builder) {
        builder.integer(self.user_id, 1);
        builder.integer(self.http.status, 3);
        builder.double(self.http.ms);
        builder.text(&self.time, 1);
        builder.text(&self.level, 2);
        builder.text(&self.service, 3);
        builder.text(&self.trace_id, 4);
        builder.text(&self.http.method, 5);
        builder.text(&self.http.path, 6);
        builder.text(&self.message, 7);
        for tag in &self.tags {
            builder.text(tag, 8);
        }
    }
}

/// A text of the feed, copied only where it has escapes.
#[derive(Deserialize, Serialize)]
#[serde(transparent)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

#[derive(Deserialize)]
struct Borrowed<'a> {
    #[serde(borrow)]
    time: Text<'a>,
    level: Text<'a>,
    service: Text<'a>,
    trace_id: Text<'a>,
    user_id: i64,
    http: BorrowedHttp<'a>,
    tags: Vec<Text<'a>>,
    message: Text<'a>,
}

#[derive(Deserialize)]
struct BorrowedHttp<'a> {
    #[serde(borrow)]
    method: Text<'a>,
    path: Text<'a>,
    status: i64,
    ms: f64,
}

/// An output record.
#[derive(Deserialize, Serialize)]
pub struct Written<'a> {
    #[serde(borrow)]
    timestamp: Text<'a>,
    level: Text<'a>,
    service: Text<'a>,
    trace: Text<'a>,
    user: i64,
    method: Text<'a>,
    path: Text<'a>,
    status: i64,
    ms: f64,
    tags: Vec<Text<'a>>,
    message: Text<'a>,
}

/// Writes a line's output record, without a line feed.
pub fn write(line: &[u8], output: &mut impl Write) -> serde_json::Result<()> {
    let log: Borrowed = serde_json::from_slice(line)?;
    let record = Written {
        timestamp: log.time,
        level: log.level,
        service: log.service,
        trace: log.trace_id,
        user: log.user_id,
        method: log.http.method,
        path: log.http.path,
        status: log.http.status,
        ms: log.http.ms,
        tags: log.tags,
        message: log.message,
    };
    serde_json::to_writer(output, &record)
}

impl Record for Written<'_> {
    fn add(&self, builder: &mut Builder) {
        builder.integer(self.user, 1);
        builder.integer(self.status, 3);
        builder.double(self.ms);
        builder.text(&self.timestamp.0, 1);
        builder.text(&self.level.0, 2);
        builder.text(&self.service.0, 3);
        builder.text(&self.trace.0, 4);
        builder.text(&self.method.0, 5);
        builder.text(&self.path.0, 6);
        builder.text(&self.message.0, 7);
        for tag in &self.tags {
            builder.text(&tag.0, 8);
        }
    }
}
