# jq --argjson slow 2000
select(.level == "error" or .level == "fatal" or .http.ms >= $slow)
