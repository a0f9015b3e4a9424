# jq
{name: .first, nick: (.nick // .first), eyes: (.attrs.eyes // "unknown"), seen: ((.seen | numbers | select(. == floor)) // 0)}
