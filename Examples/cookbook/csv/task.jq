# jq -rn
["service", "status", "message"], (inputs | [.service, .http.status, .message]) | @csv
