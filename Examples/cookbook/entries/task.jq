# jq
{id, attrs: (.attrs // {} | to_entries | map({name: .key, value}))}
