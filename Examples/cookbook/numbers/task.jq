# jq
{trace, ms: .http.ms}
