# jq -n
input | limit(2; inputs) | {service, level}
