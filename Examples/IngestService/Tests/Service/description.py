"""Holds real answers against deploy/openapi.yaml: each answer of the service in all tests."""
import json
import os
import re

try:
    import jsonschema
    import yaml
except ImportError:
    jsonschema = yaml = None

PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# The files of the page are no interface for programs.
OF_THE_PAGE = {"/", "/page.css", "/page.js", "/feeds.js"}


class Description:
    """The document, which says what an answer has."""

    def __init__(self, path=os.path.join(PACKAGE, "deploy", "openapi.yaml")):
        with open(path) as file:
            self.document = yaml.safe_load(file)

    def resolved(self, part):
        while "$ref" in part:
            found = self.document
            for key in part["$ref"].removeprefix("#/").split("/"):
                found = found[key]
            part = found
        return part

    def path(self, address):
        """The described path that an address belongs to, or nil."""
        for path in self.document["paths"]:
            # The name of a mapping has slashes.
            pattern = re.sub(r"\{(\w+)\}", lambda found: ".+" if found[1] == "mapping" else "[^/]+", path)
            if re.fullmatch(pattern, address):
                return path
        return None

    def validate(self, where, value, schema):
        whole = {**schema, "components": self.document["components"]}
        errors = jsonschema.Draft202012Validator(whole, format_checker=jsonschema.FormatChecker()).iter_errors(value)
        for error in errors:
            raise AssertionError(f"{where}, not as described: {error.json_path}: {error.message}")

    def check(self, method, address, answer):
        """Raises an AssertionError where an answer is not as it is described."""
        address = address.split("?")[0]
        if address in OF_THE_PAGE:
            return
        where = f"{method} {address} answers {answer.status}"
        path = self.path(address)
        operation = self.document["paths"][path].get(method.lower()) if path else None
        if operation is None:
            if answer.status != 404:
                raise AssertionError(f"{where}, and is not described")
            return self.check_body(where, answer, self.document["components"]["responses"]["problem"])
        response = operation["responses"].get(str(answer.status))
        if response is None:
            raise AssertionError(f"{where}, which is not described: {answer.body[:500]!r}")
        response = self.resolved(response)
        for name, header in response.get("headers", {}).items():
            self.check_header(where, name, answer.headers.get(name.lower()), self.resolved(header))
        if method != "HEAD":
            self.check_body(where, answer, response)

    def check_header(self, where, name, text, header):
        if text is None:
            if header.get("required"):
                raise AssertionError(f"{where} without {name}")
            return
        value = int(text) if header["schema"]["type"] == "integer" else text
        self.validate(f"{where} with {name}", value, header["schema"])

    def check_body(self, where, answer, response):
        content = response.get("content")
        if content is None:
            if answer.body:
                raise AssertionError(f"{where} with a body, and none is described")
            return
        kind = answer.headers["content-type"].split(";")[0]
        if kind not in content:
            raise AssertionError(f"{where} with {kind}, which is not described")
        if "schema" in content[kind]:
            try:
                value = json.loads(answer.body)
            except ValueError as error:
                raise AssertionError(f"{where} with a body that is no JSON") from error
            self.validate(where, value, content[kind]["schema"])


DESCRIPTION = Description() if jsonschema and yaml else None


def check(method, address, answer):
    """Holds an answer against the description; returns it."""
    if DESCRIPTION:
        DESCRIPTION.check(method, address, answer)
    return answer
