# jq
.columns as $names | .rows[] | [$names, .] | transpose | map({(.[0]): .[1]}) | add
