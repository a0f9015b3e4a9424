# gzip -dc | jq
{service, ms: .http.ms}
