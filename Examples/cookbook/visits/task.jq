# TZ=Europe/Berlin jq
def offset: (localtime | mktime) - .;
("\(.date) \(.time)" | strptime("%d/%m/%Y %H:%M") | mktime) as $clock
| {at: ($clock - ($clock - ($clock | offset) | offset) | todate), id}
