//! What Rust has: hyper, which axum stands on, with serde_json, typed, one record a line, thrown away. `scripts/test load` starts it.
use hyper::body::HttpBody;
use hyper::service::{make_service_fn, service_fn};
use hyper::{Body, Request, Response, Server};
use serde::de::DeserializeOwned;
use serde::Deserialize;
use std::error::Error;

#[derive(Deserialize)]
#[allow(dead_code)]
struct LogLine {
    time: String,
    level: String,
    host: String,
    status: i64,
    bytes: i64,
    seconds: f64,
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct User {
    id: i64,
    screen_name: String,
    followers_count: i64,
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct Tweet {
    id: i64,
    created_at: String,
    text: String,
    retweet_count: i64,
    user: User,
}

fn map_lines<T: DeserializeOwned>(text: &[u8]) -> Result<usize, serde_json::Error> {
    let mut count = 0;
    for line in text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        serde_json::from_slice::<T>(line)?;
        count += 1;
    }
    Ok(count)
}

async fn map<T: DeserializeOwned>(mut body: Body) -> Result<usize, Box<dyn Error + Send + Sync>> {
    let (mut count, mut rest) = (0, Vec::new());
    while let Some(data) = body.data().await {
        let data = data?;
        let end = memchr::memrchr(b'\n', &data).map_or(0, |place| place + 1);
        if rest.is_empty() {
            count += map_lines::<T>(&data[..end])?;
        } else if end > 0 {
            rest.extend_from_slice(&data[..end]);
            count += map_lines::<T>(&rest)?;
            rest.clear();
        }
        rest.extend_from_slice(&data[end..]);
    }
    Ok(count + map_lines::<T>(&rest)?)
}

async fn answer(request: Request<Body>) -> Result<Response<Body>, hyper::http::Error> {
    let path = request.uri().path().to_owned();
    let count = match path.as_str() {
        "/hyper/logs" => map::<LogLine>(request.into_body()).await,
        "/hyper/tweets" => map::<Tweet>(request.into_body()).await,
        "/health/ready" => return Response::builder().status(204).body(Body::empty()),
        _ => return Response::builder().status(404).body(Body::empty()),
    };
    match count {
        Ok(count) => Response::builder().body(Body::from(count.to_string())),
        Err(error) => Response::builder().status(400).body(Body::from(error.to_string())),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let port: u16 = std::env::args().nth(1).and_then(|port| port.parse().ok()).unwrap_or(8081);
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        let service =
            make_service_fn(|_| async { Ok::<_, hyper::Error>(service_fn(answer)) });
        Server::try_bind(&([127, 0, 0, 1], port).into())?.serve(service).await?;
        Ok(())
    })
}
