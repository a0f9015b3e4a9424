# jq
def over($n): (numbers >= $n) // false;
{service, class: (if .http.status | over(500) then "error" elif .http.ms | over(1000) then "slow" else "ok" end)}
