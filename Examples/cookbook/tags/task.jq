# jq
{service, tags: (.tags | join(",")), count: (.tags | length)}
