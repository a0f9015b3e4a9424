#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

// The same digest as all contenders make: see Digest.swift.
struct Builder {
  bool hashes;
  uint64_t count = 0, integers = 0, bits = 0, text_bytes = 0, texts = 0;
  double doubles = 0;

  void integer(int64_t value, uint64_t salt) { integers += uint64_t(value) * salt; }

  void number(double value) {
    uint64_t pattern;
    std::memcpy(&pattern, &value, sizeof pattern);
    doubles += value;
    bits += pattern;
  }

  void text(std::string_view value, uint64_t salt) {
    text_bytes += value.size();
    if (!hashes) return;
    uint64_t hash = 0xcbf29ce484222325 ^ salt;
    for (unsigned char byte : value) hash = (hash ^ byte) * 0x100000001b3;
    texts += hash;
  }
};
