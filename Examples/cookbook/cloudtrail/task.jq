# jq
.Records[] | {
  at: .eventTime,
  event: .eventName,
  user: (.userIdentity | .userName // .type),
  bucket: .requestParameters.bucketName,
  file: input_filename
}
