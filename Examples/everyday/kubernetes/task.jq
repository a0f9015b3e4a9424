# jq -r
def unit: if type == "string" then
    capture("(?<n>[0-9.]+)(?<u>.*)") | (.n | tonumber) * {"": 1, m: 0.001, Mi: 1048576, Gi: 1073741824}[.u]
  else . end;
["namespace", "pod", "container.name", "container.image", "container.cpu", "container.memory",
  "container.restarts", "container.ready"],
(.items[] | .metadata as $pod
  | (.status.containerStatuses // [] | map({(.name): .}) | add) as $statuses
  | .spec.containers[] | $statuses[.name] as $status | .resources.requests as $requests
  | [$pod.namespace, $pod.name, .name, .image, ($requests | .cpu, .memory | unit),
    $status.restartCount // 0, $status.ready // false])
| @csv
