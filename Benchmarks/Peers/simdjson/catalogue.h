// A ticket shop's catalogue: dictionaries of objects, keyed by ids.

#pragma once

#include "reading.h"

template <class T>
using Dictionary = std::unordered_map<std::string, T>;

struct Area {
  int64_t areaId;
  std::vector<int64_t> blockIds;
};

inline void read(ondemand::value value, Area &into) {
  static constexpr Member<Area> table[] = {MEMBER(Area, areaId), MEMBER(Area, blockIds)};
  members(value.get_object(), into, table);
}

struct SeatCategory {
  std::vector<Area> areas;
  int64_t seatCategoryId;
};

inline void read(ondemand::value value, SeatCategory &into) {
  static constexpr Member<SeatCategory> table[] = {
      MEMBER(SeatCategory, areas), MEMBER(SeatCategory, seatCategoryId)};
  members(value.get_object(), into, table);
}

struct Price {
  int64_t amount, audienceSubCategoryId, seatCategoryId;
};

inline void read(ondemand::value value, Price &into) {
  static constexpr Member<Price> table[] = {
      MEMBER(Price, amount), MEMBER(Price, audienceSubCategoryId), MEMBER(Price, seatCategoryId)};
  members(value.get_object(), into, table);
}

struct Performance {
  int64_t eventId, id, start;
  std::optional<std::string> logo;
  std::vector<Price> prices;
  std::vector<SeatCategory> seatCategories;
  std::string venueCode;
};

inline void read(ondemand::value value, Performance &into) {
  static constexpr Member<Performance> table[] = {
      MEMBER(Performance, eventId), MEMBER(Performance, id),
      MEMBER(Performance, logo),    MEMBER(Performance, prices),
      MEMBER(Performance, seatCategories), MEMBER(Performance, start),
      MEMBER(Performance, venueCode)};
  members(value.get_object(), into, table);
}

struct Event {
  int64_t id;
  std::optional<std::string> logo;
  std::string name;
  std::vector<int64_t> subTopicIds, topicIds;
};

inline void read(ondemand::value value, Event &into) {
  static constexpr Member<Event> table[] = {
      MEMBER(Event, id), MEMBER(Event, logo), MEMBER(Event, name), MEMBER(Event, subTopicIds),
      MEMBER(Event, topicIds)};
  members(value.get_object(), into, table);
}

struct Catalog {
  Dictionary<std::string> areaNames, seatCategoryNames, subTopicNames, topicNames, venueNames;
  Dictionary<Event> events;
  std::vector<Performance> performances;
  Dictionary<std::vector<int64_t>> topicSubTopics;
};

static void add(const Performance &performance, Builder &builder) {
  builder.integer(performance.id, 7);
  builder.integer(performance.eventId, 11);
  builder.integer(performance.start, 13);
  builder.text(performance.venueCode, 6);
  for (const auto &price : performance.prices) builder.integer(price.amount, 17);
  for (const auto &category : performance.seatCategories) {
    builder.integer(category.seatCategoryId, 19);
    for (const auto &area : category.areas) builder.integer(area.areaId, 23);
  }
}

static void catalogue(ondemand::document_reference record, Builder &builder) {
  static constexpr Member<Catalog> table[] = {
      MEMBER(Catalog, areaNames),         MEMBER(Catalog, events),
      MEMBER(Catalog, performances),      MEMBER(Catalog, seatCategoryNames),
      MEMBER(Catalog, subTopicNames),     MEMBER(Catalog, topicNames),
      MEMBER(Catalog, topicSubTopics),    MEMBER(Catalog, venueNames)};
  Catalog catalog;
  members(record.get_object(), catalog, table);
  keep(catalog);

  for (const auto *names : {&catalog.areaNames, &catalog.seatCategoryNames, &catalog.subTopicNames,
                            &catalog.topicNames, &catalog.venueNames}) {
    for (const auto &[key, name] : *names) {
      builder.text(key, 1);
      builder.text(name, 2);
    }
  }
  for (const auto &[key, event] : catalog.events) {
    builder.text(key, 3);
    builder.integer(event.id, 1);
    builder.text(event.name, 4);
    builder.text(event.logo ? *event.logo : "", 5);
    for (const int64_t id : event.subTopicIds) builder.integer(id, 3);
    for (const int64_t id : event.topicIds) builder.integer(id, 3);
  }
  for (const auto &[topic, ids] : catalog.topicSubTopics) {
    for (const int64_t id : ids) builder.integer(id, 5);
  }
  for (const auto &performance : catalog.performances) add(performance, builder);
}
