# jq --arg since 2026-11-20T08:15:02Z
select(.time >= $since) | {time, service}
