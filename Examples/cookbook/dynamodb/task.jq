# jq
.Item | {
  id: .id.S,
  qty: (.qty.N | tonumber),
  tags: (.tags.SS // []),
  city: .address.M.city.S,
  open: (.open.BOOL // false)
}
