// Lines of a log.

#pragma once

#include "reading.h"

struct Http {
  std::string method, path;
  int64_t status;
  double ms;
};

inline void read(ondemand::value value, Http &into) {
  static constexpr Member<Http> table[] = {
      MEMBER(Http, method), MEMBER(Http, path), MEMBER(Http, status), MEMBER(Http, ms)};
  members(value.get_object(), into, table);
}

struct Log {
  std::string time, level, service, trace_id, message;
  int64_t user_id;
  Http http;
  std::vector<std::string> tags;
};

static void logs(ondemand::document_reference record, Builder &builder) {
  static constexpr Member<Log> table[] = {
      MEMBER(Log, time),    MEMBER(Log, level), MEMBER(Log, service), MEMBER(Log, trace_id),
      MEMBER(Log, user_id), MEMBER(Log, http),  MEMBER(Log, tags),    MEMBER(Log, message)};
  Log log{};
  members(record.get_object(), log, table);
  keep(log);

  builder.integer(log.user_id, 1);
  builder.integer(log.http.status, 3);
  builder.number(log.http.ms);
  builder.text(log.time, 1);
  builder.text(log.level, 2);
  builder.text(log.service, 3);
  builder.text(log.trace_id, 4);
  builder.text(log.http.method, 5);
  builder.text(log.http.path, 6);
  builder.text(log.message, 7);
  for (const auto &tag : log.tags) builder.text(tag, 8);
}
