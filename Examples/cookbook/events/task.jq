# jq
{
  id: (.id | tonumber),
  who: .actor.login,
  what: (if .type == "PushEvent" then (.payload.commits | length)
    elif .type == "IssuesEvent" then (.payload.issue | {number, title}) else null end)
}
