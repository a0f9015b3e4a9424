# jq
.trace as $trace | .tags[]? | {$trace, tag: .}
