//! What each task maps; strings are owned, as everywhere.

use crate::digest::{Builder, Record};
use serde::Deserialize;

#[derive(Deserialize)]
pub struct Tweet {
    id: i64,
    created_at: String,
    text: String,
    user: User,
    retweet_count: i64,
    entities: Entities,
}

#[derive(Deserialize)]
struct User {
    screen_name: String,
    followers_count: i64,
}

#[derive(Deserialize)]
struct Entities {
    hashtags: Vec<Hashtag>,
}

#[derive(Deserialize)]
struct Hashtag {
    text: String,
}

impl Record for Tweet {
    fn add(&self, builder: &mut Builder) {
        builder.integer(self.id, 1);
        builder.integer(self.user.followers_count, 3);
        builder.integer(self.retweet_count, 5);
        builder.text(&self.created_at, 1);
        builder.text(&self.text, 2);
        builder.text(&self.user.screen_name, 3);
        for hashtag in &self.entities.hashtags {
            builder.text(&hashtag.text, 4);
        }
    }
}

#[derive(Deserialize)]
pub struct Outlines {
    features: Vec<Feature>,
}

#[derive(Deserialize)]
struct Feature {
    geometry: Geometry,
}

#[derive(Deserialize)]
struct Geometry {
    coordinates: Vec<Vec<Vec<f64>>>,
}

impl Record for Outlines {
    fn add(&self, builder: &mut Builder) {
        for feature in &self.features {
            for number in feature.geometry.coordinates.iter().flatten().flatten() {
                builder.double(*number);
            }
        }
    }
}

#[derive(Deserialize)]
pub struct Tiny {
    id: i64,
    name: String,
    ok: bool,
}

impl Record for Tiny {
    fn add(&self, builder: &mut Builder) {
        builder.integer(self.id, 1);
        builder.text(&self.name, 1);
        builder.integer(i64::from(self.ok), 3);
    }
}
