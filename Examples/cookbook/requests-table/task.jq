# jq -rn
["time", "service", "http.method", "http.status", "http.ms", "tags"],
(inputs | [.time, .service, .http.method, .http.status, .http.ms, (.tags | tojson)]) | @csv
