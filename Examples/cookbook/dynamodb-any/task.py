from everyday import *


def plain(wrapped):
    [(kind, value)] = wrapped.items()
    match kind:
        case "N":
            return json.loads(value, parse_float=Number)
        case "NS":
            return [json.loads(each, parse_float=Number) for each in value]
        case "NULL":
            return None
        case "M":
            return {key: plain(member) for key, member in value.items()}
        case "L":
            return [plain(each) for each in value]
    return value


for record in lines():
    put({key: plain(member) for key, member in record["Item"].items()})
