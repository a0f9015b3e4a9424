#include "linear_pattern.h"

#include <re2/re2.h>

#include <cstring>
#include <new>
#include <string>

struct sm_linear_pattern {
  const RE2 regex;

  sm_linear_pattern(const re2::StringPiece &text, const RE2::Options &options) : regex(text, options) {}
};

namespace {

void copy(const std::string &text, char (&room)[80]) {
  size_t length = text.size() < sizeof room - 1 ? text.size() : sizeof room - 1;
  // Not within a character.
  while (length < text.size() && length > 0 && (text[length] & 0xC0) == 0x80) length -= 1;
  std::memcpy(room, text.data(), length);
  room[length] = 0;
}

bool has(const std::string &text, const char *part) { return text.find(part) != std::string::npos; }

// If RE2 does not know a group, it names only `(?<` or `(?P`, so the pattern itself has to show which one it is.
sm_pattern_fault_kind kind(const RE2 &regex) {
  const std::string &part = regex.error_arg();
  const std::string &pattern = regex.pattern();
  switch (regex.error_code()) {
    case RE2::ErrorPatternTooLarge:
      return SM_PATTERN_TOO_LARGE;
    case RE2::ErrorBadEscape:
      if (part.size() > 1 && std::strchr("123456789kg", part[1]) != nullptr) return SM_PATTERN_REFERS_BACK;
      return SM_PATTERN_WRONG;
    default:
      if (part == "(?=" || part == "(?!") return SM_PATTERN_LOOKS_AROUND;
      if (part == "(?<" && (has(pattern, "(?<=") || has(pattern, "(?<!"))) return SM_PATTERN_LOOKS_AROUND;
      if (part == "(?P" && has(pattern, "(?P=")) return SM_PATTERN_REFERS_BACK;
      return SM_PATTERN_WRONG;
  }
}

const char *words(const RE2 &regex) {
  switch (regex.error_code()) {
    case RE2::ErrorBadEscape: return "there is no such escape";
    case RE2::ErrorBadCharClass:
    case RE2::ErrorBadCharRange: return "there is no such class or range of characters";
    case RE2::ErrorMissingBracket: return "a ] is missing";
    case RE2::ErrorMissingParen: return "a ) is missing";
    case RE2::ErrorTrailingBackslash: return "nothing follows the last backslash";
    case RE2::ErrorRepeatArgument: return "there is nothing to repeat";
    case RE2::ErrorRepeatSize: return "a repetition is of at most 1000 times";
    case RE2::ErrorRepeatOp: return "one repetition follows on another";
    case RE2::ErrorBadPerlOp: return "there is no such group (one with a name is (?P<name>…))";
    case RE2::ErrorBadUTF8: return "it is not UTF-8";
    case RE2::ErrorBadNamedCapture: return "a group has a wrong name";
    default: return "RE2 does not take it";
  }
}

}  // namespace

sm_linear_pattern *sm_linear_pattern_make(
    const char *pattern, size_t length, size_t memory, sm_pattern_fault *fault) {
  *fault = sm_pattern_fault{SM_PATTERN_FINE, {0}, {0}};
  try {
    RE2::Options options;
    options.set_encoding(RE2::Options::EncodingUTF8);
    options.set_log_errors(false);
    options.set_max_mem(static_cast<int64_t>(memory));
    auto *made = new sm_linear_pattern(re2::StringPiece(pattern, length), options);
    if (made->regex.ok()) return made;
    fault->kind = kind(made->regex);
    copy(words(made->regex), fault->reason);
    copy(made->regex.error_arg(), fault->part);
    delete made;
  } catch (const std::bad_alloc &) {
    fault->kind = SM_PATTERN_TOO_LARGE;
  }
  return nullptr;
}

void sm_linear_pattern_free(sm_linear_pattern *pattern) { delete pattern; }

bool sm_linear_pattern_matches(const sm_linear_pattern *pattern, const char *text, size_t length, bool whole) {
  const re2::StringPiece piece(text, length);
  return pattern->regex.Match(piece, 0, length, whole ? RE2::ANCHOR_BOTH : RE2::UNANCHORED, nullptr, 0);
}

int sm_linear_pattern_group_count(const sm_linear_pattern *pattern) {
  return pattern->regex.NumberOfCapturingGroups();
}

int sm_linear_pattern_group(const sm_linear_pattern *pattern, const char *name) {
  const auto &groups = pattern->regex.NamedCapturingGroups();
  const auto found = groups.find(name);
  return found == groups.end() ? 0 : found->second;
}

void sm_linear_pattern_names(
    const sm_linear_pattern *pattern, void *context, void (*receive)(void *context, const char *name)) {
  for (const auto &group : pattern->regex.CapturingGroupNames()) receive(context, group.second.c_str());
}

bool sm_linear_pattern_find(
    const sm_linear_pattern *pattern, const char *text, size_t length, size_t from, sm_pattern_span *spans, int count) {
  // A text without a place of its own would make spans without one.
  const char *start = text == nullptr ? "" : text;
  const re2::StringPiece piece(start, length);
  constexpr int most = 32;
  if (count < 1 || count > most || from > length) return false;
  re2::StringPiece found[most];
  if (!pattern->regex.Match(piece, from, length, RE2::UNANCHORED, found, count)) return false;
  for (int index = 0; index < count; index += 1) {
    const re2::StringPiece &part = found[index];
    if (part.data() == nullptr) {
      spans[index] = sm_pattern_span{-1, -1};
    } else {
      const ptrdiff_t from = part.data() - start;
      spans[index] = sm_pattern_span{from, from + static_cast<ptrdiff_t>(part.size())};
    }
  }
  return true;
}
