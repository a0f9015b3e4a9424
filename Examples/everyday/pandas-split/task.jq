# jq
.columns as $names | .data[] | [$names, .] | transpose | map({(.[0]): .[1]}) | add
