# jq --unbuffered
{time, level}
