# jq
select(.http.status | numbers >= 500) | {time, path: .http.path}
