// How the walker's driver and the reference write down steps: two runs are the same where their reports are.

#include "test.h"

static void put_token(buf *b, const char *name, sm_token t) {
  put_format(b, " %s %llu-%llu@%llu/%llu+%u", name, (unsigned long long)t.start, (unsigned long long)t.end,
             (unsigned long long)t.line, (unsigned long long)t.line_start, (unsigned)t.tag);
}

void report_token(buf *tokens, sm_token token) { put_token(tokens, "", token); }

void report_level(buf *levels, sm_level level) {
  put_format(levels, " @%llu", (unsigned long long)level.start);
  put_text(levels, level.is_object ? "." : "#");
  if (!level.has_position) {
    put_text(levels, "?");
  } else if (level.is_object) {
    put(levels, level.key, level.key_length);
  } else {
    put_format(levels, "%llu", (unsigned long long)level.index);
  }
}

void report_record(buf *report, sm_token record, const buf *json, const buf *tokens, const buf *levels, uint64_t paths) {
  put_token(report, "record", record);
  put_text(report, "\n  ");
  put(report, json->bytes, json->count);
  put_text(report, "\n  tokens");
  put(report, tokens->bytes, tokens->count);
  put_text(report, "\n  levels");
  put(report, levels->bytes, levels->count);
  put_format(report, "\n  paths %llx\n", (unsigned long long)paths);
}

void report_fault(buf *report, sm_fault fault, sm_token text, bool in_record, sm_token record, const buf *levels, uint64_t paths) {
  put_format(report, " fault kind %d expected %d found %02x%s", (int)fault.kind, (int)fault.expected, fault.found,
             fault.final ? " final" : "");
  put_token(report, "at", fault.at);
  put_token(report, "text", text);
  if (in_record) {
    record.end = record.start;  // it is not known
    put_token(report, "in record", record);
  }
  put_text(report, "\n  levels");
  put(report, levels->bytes, levels->count);
  put_format(report, "\n  paths %llx\n", (unsigned long long)paths);
}

void report_end(buf *report, uint64_t offset, uint64_t line, uint64_t paths) {
  put_format(report, " end %llu line %llu paths %llx\n", (unsigned long long)offset, (unsigned long long)line,
             (unsigned long long)paths);
}
