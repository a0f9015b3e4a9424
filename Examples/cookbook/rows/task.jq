# jq
.rows[] | {id: .[0], name: .[1], people: .[2]}
