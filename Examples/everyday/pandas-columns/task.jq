# jq
. as {$name, $n, $price} | $name | keys_unsorted[]
| {row: {label: ., name: $name[.], n: $n[.], price: $price[.]}}
