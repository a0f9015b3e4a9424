# jq -rs
([.[] | paths(type != "object") | select(all(type == "string"))] | unique) as $columns
| ($columns | map(join("."))), (.[] | [getpath($columns[]) | arrays |= tojson]) | @csv
