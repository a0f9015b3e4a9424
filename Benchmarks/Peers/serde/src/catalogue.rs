//! A ticket shop's catalogue: dictionaries of objects, keyed by ids.

use crate::digest::{Builder, Record};
use serde::Deserialize;
use std::collections::HashMap;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Catalog {
    area_names: HashMap<String, String>,
    events: HashMap<String, Event>,
    performances: Vec<Performance>,
    seat_category_names: HashMap<String, String>,
    sub_topic_names: HashMap<String, String>,
    topic_names: HashMap<String, String>,
    topic_sub_topics: HashMap<String, Vec<i64>>,
    venue_names: HashMap<String, String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Event {
    id: i64,
    logo: Option<String>,
    name: String,
    sub_topic_ids: Vec<i64>,
    topic_ids: Vec<i64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code)] // No digest reads them all.
struct Performance {
    event_id: i64,
    id: i64,
    logo: Option<String>,
    prices: Vec<Price>,
    seat_categories: Vec<SeatCategory>,
    start: i64,
    venue_code: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code)]
struct Price {
    amount: i64,
    audience_sub_category_id: i64,
    seat_category_id: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SeatCategory {
    areas: Vec<Area>,
    seat_category_id: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code)]
struct Area {
    area_id: i64,
    block_ids: Vec<i64>,
}

impl Record for Catalog {
    fn add(&self, builder: &mut Builder) {
        let names = [
            &self.area_names,
            &self.seat_category_names,
            &self.sub_topic_names,
            &self.topic_names,
            &self.venue_names,
        ];
        for (key, name) in names.into_iter().flatten() {
            builder.text(key, 1);
            builder.text(name, 2);
        }
        for (key, event) in &self.events {
            builder.text(key, 3);
            builder.integer(event.id, 1);
            builder.text(&event.name, 4);
            builder.text(event.logo.as_deref().unwrap_or(""), 5);
            for id in event.sub_topic_ids.iter().chain(&event.topic_ids) {
                builder.integer(*id, 3);
            }
        }
        for id in self.topic_sub_topics.values().flatten() {
            builder.integer(*id, 5);
        }
        for performance in &self.performances {
            performance.add(builder);
        }
    }
}

impl Record for Performance {
    fn add(&self, builder: &mut Builder) {
        builder.integer(self.id, 7);
        builder.integer(self.event_id, 11);
        builder.integer(self.start, 13);
        builder.text(&self.venue_code, 6);
        for price in &self.prices {
            builder.integer(price.amount, 17);
        }
        for category in &self.seat_categories {
            builder.integer(category.seat_category_id, 19);
            for area in &category.areas {
                builder.integer(area.area_id, 23);
            }
        }
    }
}
