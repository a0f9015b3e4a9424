# jq
{id, b: .a.b}
