# jq
.resource_changes[] | select(.change.actions[0] != "no-op") | {
  address: "\([.module_address // empty, .type, .name] | join("."))\(.index | if . == null then "" else "[\(tojson)]" end)",
  actions: (.change.actions | join("/"))
}
