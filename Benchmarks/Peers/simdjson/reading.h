// Reading values that own what they hold, as everywhere: the parser's buffer goes with the record.

#pragma once

#include <simdjson.h>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "digest.h"

using namespace simdjson;

inline std::string owned(simdjson_result<ondemand::value> value) {
  return std::string(std::string_view(value));
}

inline void read(ondemand::value value, int64_t &into) { into = value.get_int64(); }
inline void read(ondemand::value value, double &into) { into = value.get_double(); }
inline void read(ondemand::value value, bool &into) { into = value.get_bool(); }
inline void read(ondemand::value value, std::string &into) {
  into = owned(simdjson_result<ondemand::value>(std::move(value)));
}

template <class T>
void read(ondemand::value value, std::vector<T> &into) {
  for (ondemand::value element : value.get_array()) read(element, into.emplace_back());
}

template <class T>
void read(ondemand::value value, std::unordered_map<std::string, T> &into) {
  for (auto field : value.get_object()) {
    const std::string_view key = field.unescaped_key();
    read(field.value(), into[std::string(key)]);
  }
}

template <class T>
void read(ondemand::value value, std::optional<T> &into) {
  if (!value.is_null()) read(value, into.emplace());
}

// A member of a type: its key, and how it is read.
template <class T>
struct Member {
  std::string_view key;
  void (*read)(ondemand::value, T &);
};

#define MEMBER(type, name) \
  Member<type> { #name, [](ondemand::value value, type &into) { read(value, into.name); } }

// One pass over an object in the feed's order, in which On-Demand is at its best. The members come in the order of the
// table or nearly so: the next one is tried first.
template <class T, size_t count>
void members(ondemand::object object, T &into, const Member<T> (&table)[count]) {
  size_t next = 0;
  for (auto field : object) {
    const ondemand::raw_json_string key = field.key();
    for (size_t tried = 0; tried < count; tried++) {
      const Member<T> &member = table[next];
      next = next + 1 == count ? 0 : next + 1;
      if (key.unsafe_is_equal(member.key)) {
        member.read(field.value(), into);
        break;
      }
    }
  }
}

// Has the compiler make all of a value, also what no digest reads.
template <class T>
void keep(const T &value) {
  asm volatile("" : : "r"(&value) : "memory");
}
