# jq
.Results[] | .Target as $target | .Vulnerabilities[]? | {
  $target,
  id: .VulnerabilityID,
  package: "\(.PkgName)@\(.InstalledVersion)",
  fixed: .FixedVersion,
  severity: (.Severity | ascii_downcase),
  score: ([.CVSS[]?.V3Score] | max)
}
