# jq
.traceEvents[] | select(.ph == "X") | {name, thread: .tid, ms: (.dur / 1000)}
