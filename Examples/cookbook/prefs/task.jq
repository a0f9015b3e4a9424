# jq
{id, prefs: (.prefs | fromjson | {lang, size: (.size // 10)})}
