# jq
.log.entries[] | {
  at: .startedDateTime,
  host: (.request.url | capture("^https?://(?<h>[^/:]+)").h),
  status: .response.status,
  ms: .time,
  type: ([.response.headers[] | select(.name == "Content-Type").value] | join(","))
}
