# jq
.[] | .filePath as $file | .messages[]?
| {$file, line, level: {"1": "warning", "2": "error"}["\(.severity)"], rule: .ruleId}
