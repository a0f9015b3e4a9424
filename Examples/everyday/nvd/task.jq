# jq
.vulnerabilities[].cve | {
  id,
  published: (.published + "Z"),
  summary: (first(.descriptions[] | select(.lang == "en").value) // null),
  score: (first(.metrics.cvssMetricV31[]? | select(.type == "Primary").cvssData.baseScore) // null),
  weaknesses: (reduce .weaknesses[]?.description[].value as $w ([]; if index([$w]) then . else . + [$w] end))
}
