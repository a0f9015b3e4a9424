# jq -c
def plain: to_entries[0] | if .key == "N" then .value | tonumber elif .key == "NS" then .value | map(tonumber) elif .key == "M" then .value | map_values(plain) elif .key == "L" then .value | map(plain) elif .key == "NULL" then null else .value end;
.Item | map_values(plain)
