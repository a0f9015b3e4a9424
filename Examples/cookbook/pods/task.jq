# jq
.items[] | {
  pod: .metadata.name,
  app: .metadata.labels["app.kubernetes.io/name"],
  phase: .status.phase,
  images: ([.spec.containers[].image] | join(" ")),
  restarts: [.status.containerStatuses[]?.restartCount]
}
