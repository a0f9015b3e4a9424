"""The page of the keys of mapping files, made of their JSON Schema."""
import html
import json

TITLE = "Keys of mapping files"

# A map that has all keys of another one, and more: only what is more is listed.
BASE = {"case": "field", "element": "field"}


# What is said in words. Another part of the schema without keys of its own is written out.
WORDS = {"path": "a path", "fields": 'a name with a <a href="#map-field">field</a>, for each member',
         "part": 'the name of a type, or an <a href="#map-element">element</a>'}


def link(name):
    return f'<a href="#map-{name}">{name}</a>'


def kind(schema, maps):
    """What a key takes, in words, with links to the maps."""
    if reference := schema.get("$ref"):
        name = reference.rsplit("/", 1)[1]
        return WORDS.get(name) or (link(name) if "properties" in maps[name] else kind(maps[name], maps))
    if choices := schema.get("enum"):
        return " ".join(f"<code>{html.escape(str(choice))}</code>" for choice in choices)
    if "const" in schema:
        return f"<code>{html.escape(str(schema['const']))}</code>"
    if parts := schema.get("anyOf"):
        return ", or ".join(dict.fromkeys(kind(part, maps) for part in parts))
    types = schema.get("type", "any value")
    if isinstance(types, list):
        return " or ".join(types)
    if types == "array":
        return f"a list of: {kind(schema['items'], maps)}" if schema.get("items") else "a list"
    if types == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"names with: {kind(schema['additionalProperties'], maps)}"
    return types


def body(path):
    schema = json.loads(path.read_text())
    maps = {"file": schema, **schema["$defs"]}
    parts = [
        f'<h1 id="keys">{TITLE}</h1>',
        "<p>Every key, what it takes and what it means. The guide <a href=\"MappingFile.html\">The mapping file</a> explains them with "
        "examples. <code>stream-map help keys</code> prints the same list, and <code>stream-map schema --mapping-file</code> the JSON "
        "Schema that this page is made of; editors check mapping files with it.</p>",
    ]
    for name, of in maps.items():
        if not (properties := of.get("properties")):
            continue
        note = ""
        if base := BASE.get(name):
            common = maps[base]["properties"]
            lacks = [key for key in common if key not in properties]
            note = f'<p>It has the keys of {link(base)}'
            if lacks:
                note += ", but not " + ", ".join(f"<code>{key}</code>" for key in lacks)
            properties = {key: value for key, value in properties.items() if value != common.get(key)}
            note += "; and these:</p>" if properties else ".</p>"
        parts.append(f'<h2 id="map-{name}">{name}</h2>{note}')
        if properties:
            required = of.get("required", [])
            rows = "".join(
                f'<tr><td><code>{html.escape(key)}</code>{" (required)" if key in required else ""}</td><td>{kind(value, maps)}</td>'
                f'<td>{html.escape(value.get("description", ""))}</td></tr>'
                for key, value in properties.items())
            parts.append(f'<div class="scroll"><table><thead><tr><th>Key</th><th>Takes</th><th>What it means</th></tr></thead>'
                         f"<tbody>{rows}</tbody></table></div>")
    return "\n".join(parts)
