# jq -rn
["id", "at", "kind", "who", "repo", "action", "number", "title", "branch", "sha"],
(inputs | .payload as $p | [
  (.id | tonumber),
  .created_at,
  (.type | rtrimstr("Event")),
  .actor.login,
  .repo.name,
  $p.action,
  ($p.issue.number // $p.number),
  ($p.issue.title // $p.pull_request.title // $p.release.name // $p.release.tag_name),
  ($p.ref // "" | capture("^refs/heads/(?<branch>.*)").branch // null),
  $p.commits[-1].sha
]) | @csv
