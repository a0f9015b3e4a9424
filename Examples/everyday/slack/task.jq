# jq --rawfile users slack/users.csv
($users / "\n" | map(. / "," | {"\(.[0])": .[1]}) | add) as $names
| (input_filename / "/")[-2:] as [$channel, $day]
| .[] | select(.subtype | not) | {
  $channel,
  day: $day[:10],
  at: (.ts | "\(.[:-7] | tonumber | todate[:-1])\(.[-7:])Z"),
  user: $names[.user],
  text: (.text | gsub("<@(?<id>\\w+)>"; $names[.id] // "<@\(.id)>")),
  reactions: ([.reactions[]?.count] | add // 0)
}
