# jq -nR
foreach inputs as $text (
  {};
  (if .file == input_filename then . else {file: input_filename} end)
  | .line += 1 | .offset = (.next // 0) | .next = .offset + ($text | utf8bytelength) + 1;
  ($text | fromjson?) as {$level, $service} | select($level == "error" or $level == "warn")
  | {file, line, offset: (.offset + ($text | match("^\\s*").length)), $service}
)
