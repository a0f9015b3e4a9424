# jq
.hits.hits[] | {_id, _index} + ._source + {user: ._source.user.name}
