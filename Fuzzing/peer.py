"""Python's own parser and, where it is installed, orjson: what they say of inputs that come in batches over a pipe.

A batch is a count, then for each input its length, its bytes, and what StreamMap made of it: the length of that text and the
text, or the length 2^32-1 if it was rejected. All figures are 32 bits, the lowest byte first. The answer has one byte for
each input: 1 json accepts it, 2 and reads the same from StreamMap's text; 4 and 8 the same of orjson.
"""
import json
import struct
import sys

try:
    import orjson
except ImportError:
    orjson = None

sys.setrecursionlimit(20_000)


def refuse(name):
    raise ValueError(f"{name} is no JSON")


def number(text):
    # As it is written, and unlike any string.
    return (text,)


decoder = json.JSONDecoder(parse_float=number, parse_int=number, parse_constant=refuse)


def read_json(data):
    return decoder.decode(data.decode("utf-8"))


def verdict(read, data, ours):
    try:
        value = read(data)
    except (ValueError, RecursionError):
        return 0
    return 3 if ours is not None and read(ours) == value else 1


def main():
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    names = [f"Python's json {sys.version.split()[0]}"] + ([f"orjson {orjson.__version__}"] if orjson else [])
    sink.write((", ".join(names) + "\n").encode())
    sink.flush()

    def take():
        (length,) = struct.unpack("<I", source.read(4))
        return None if length == 0xFFFFFFFF else source.read(length)

    while head := source.read(4):
        answers = bytearray()
        for _ in range(struct.unpack("<I", head)[0]):
            data, ours = take().removeprefix(b"\xef\xbb\xbf"), take()
            answer = verdict(read_json, data, ours)
            if orjson:
                answer |= verdict(orjson.loads, data, ours) << 2
            answers.append(answer)
        sink.write(answers)
        sink.flush()


main()
