# jq
del(.first, .password, .attrs.eyes?) + {name: .first, source: "crm"}
