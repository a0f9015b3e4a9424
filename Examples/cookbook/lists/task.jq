# jq
{
  name,
  restarts: ([.restarts[].count] | add // 0),
  restarted: ([.restarts[] | select(.count >= 1)] | length),
  last: .restarts[-1].pod,
  service: (first(.attributes[] | select(.key == "service.name").value) // null)
}
