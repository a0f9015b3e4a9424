# jq -rn
["service", "tag"], (inputs | [.service] + (.tags[], (.tags | select(. == []) | null) | [.])) | @csv
