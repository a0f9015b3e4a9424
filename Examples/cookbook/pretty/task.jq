# jq -n
input | {service, http}
