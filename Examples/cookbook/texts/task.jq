# jq
# jq does not decode percent-encoding: each byte here has one way back.
def decoded: gsub("%20"; " ") | gsub("%C3%BC"; "ü");
def units: capture("(?<n>[0-9.]+)(?<u>.*)")
  | (.n | tonumber) * {"": 1, m: 0.001, Ki: 1024, Mi: 1048576, Gi: 1073741824}[.u];
{
  address: "\(.module).\(.name)\(.index | if . == null then "" else "[\(.)]" end)",
  cpu: (.cpu | units),
  memory: (.memory | units),
  path: (.url | capture("//[^/]*(?<p>[^?#]*)").p),
  query: ([.url | capture("\\?(?<q>[^#]*)").q / "&" | .[] / "=" | {(.[0]): .[1] | decoded}] | add // {})
}
