# jq
del(.password, .prefs, .attrs)
