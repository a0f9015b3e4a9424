# jq
.[0] as $action | {
  action: (if $action.delete then "delete" else "put" end),
  id: $action[]._id,
  source: .[1]
}
