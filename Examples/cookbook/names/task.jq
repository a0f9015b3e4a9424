# jq
# The letters that ascii_downcase leaves are those of the feed.
def trim: sub("^\\s+"; "") | sub("\\s+$"; "");
def lower: ascii_downcase | gsub("É"; "é") | gsub("Ü"; "ü");
{
  name: ("\(.first) \(.last)" | gsub("\\s+"; " ") | trim),
  login: ("u-" + (.last | trim | lower | gsub(" "; "-"))),
  code: ("\(.id)" | "0" * (4 - length) + .)
}
