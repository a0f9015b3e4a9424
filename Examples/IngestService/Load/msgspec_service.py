"""The best that another ecosystem has: uvicorn with msgspec, typed, one record a line, thrown away. `scripts/test load` starts it."""
import msgspec


class LogLine(msgspec.Struct):
    time: str
    level: str
    host: str
    status: int
    bytes: int
    seconds: float


class User(msgspec.Struct):
    id: int
    screen_name: str
    followers_count: int


class Tweet(msgspec.Struct):
    id: int
    created_at: str
    text: str
    retweet_count: int
    user: User


DECODERS = {"/msgspec/logs": msgspec.json.Decoder(LogLine), "/msgspec/tweets": msgspec.json.Decoder(Tweet)}


async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    status, text = 404, b""
    if scope["path"] == "/health/ready":
        status = 204
    elif scope["path"] in DECODERS:
        decode_lines = DECODERS[scope["path"]].decode_lines
        count, rest, more = 0, b"", True
        while more:
            message = await receive()
            more = message.get("more_body", False)
            data = rest + message.get("body", b"")
            end = data.rfind(b"\n") + 1
            count += len(decode_lines(data[:end]))
            rest = data[end:]
        if rest.strip():
            count += len(decode_lines(rest))
        status, text = 200, str(count).encode()
    headers = [(b"content-length", str(len(text)).encode())] if status != 204 else []
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text})
