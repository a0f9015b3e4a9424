# jq
.packages[] | .name as $from | .dependencies[]
| {$from, to: .name, req, kind: (.kind // "normal"), features: (.features | join(","))}
