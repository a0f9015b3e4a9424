# jq
.Records[] | {
  at: .eventTime,
  event: "\(.eventSource | sub("\\.amazonaws\\.com"; "")):\(.eventName)",
  read_only: (.readOnly | . == true or . == "true"),
  user: (.userIdentity | .userName // .invokedBy // .type),
  arns: ([.resources[]?.ARN] | join(" ")),
  failed: has("errorCode")
}
