# jq -r
[.service, .message, .user | if . == null then "\\N" else [.] | @tsv end] | join("\t")
