"""That answers are held against deploy/openapi.yaml, and that a wrong one is found."""
import json
import os
import unittest

from description import DESCRIPTION, PACKAGE, check
from harness import Service, people


class Made:
    """An answer that no service gave."""

    def __init__(self, status, body=b"", **headers):
        self.status = status
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}
        self.body = body if isinstance(body, bytes) else json.dumps(body).encode()


@unittest.skipUnless(DESCRIPTION, "jsonschema and yaml are not installed")
class Described(unittest.TestCase):
    upload = {"id": "a", "mapping": "m", "offset": 1, "complete": False, "refused": False, "records": 1, "mapped": 1, "rejected": 0,
              "changed": "2026-11-26T10:00:00Z"}
    problem = {"type": "about:blank", "title": "Not Found", "status": 404, "detail": "no upload"}

    def test_right_answers_pass(self):
        kinds = {"content_type": "application/json"}
        check("GET", "/uploads/a", Made(200, self.upload, **kinds))
        check("GET", "/uploads?before=7", Made(200, {"uploads": [self.upload], "next": "/uploads?before=1"}, **kinds))
        check("GET", "/nowhere", Made(404, self.problem, content_type="application/problem+json"))
        check("PATCH", "/uploads/a", Made(204, upload_offset="7", upload_complete="?0"))
        check("GET", "/metrics", Made(200, b"a 1", content_type="text/plain; charset=utf-8"))

    def test_wrong_answers_are_found(self):
        kind, problem = {"content_type": "application/json"}, {"content_type": "application/problem+json"}
        wrong = [
            ("GET", "/uploads/a", Made(200, {**self.upload, "more": 1}, **kind)),
            ("GET", "/uploads/a", Made(200, {**self.upload, "offset": "1"}, **kind)),
            ("GET", "/uploads/a", Made(200, {**self.upload, "offset": -1}, **kind)),
            ("GET", "/uploads/a", Made(200, {**self.upload, "last": {"records": 1}}, **kind)),
            ("GET", "/uploads/a", Made(200, {name: value for name, value in self.upload.items() if name != "id"}, **kind)),
            ("GET", "/uploads/a", Made(200, self.upload, content_type="text/html")),
            ("GET", "/uploads/a", Made(500, self.problem, **problem)),
            ("GET", "/uploads/a", Made(404, {**self.problem, "detail": ""}, **problem)),
            ("GET", "/uploads", Made(200, {"uploads": [{"id": 1}]}, **kind)),
            ("GET", "/uploads/a/rejects", Made(200, {"rejects": [{"record": 0, "errors": []}]}, **kind)),
            ("DELETE", "/uploads/a", Made(204, b"gone")),
            ("PATCH", "/uploads/a", Made(204, upload_complete="?0")),
            ("PATCH", "/uploads/a", Made(204, upload_offset="7", upload_complete="yes")),
            ("HEAD", "/uploads/a", Made(204, upload_offset="7", upload_complete="?0", upload_limit="many")),
            ("GET", "/nowhere", Made(200, self.upload, **kind)),
            ("GET", "/health/ready", Made(503, b"", **problem)),
        ]
        for method, address, answer in wrong:
            with self.assertRaises(AssertionError, msg=(method, address, answer.status, answer.body)):
                check(method, address, answer)

    def test_rejects_are_those_of_the_published_schema(self):
        with open(os.path.join(PACKAGE, "..", "..", "Schemas", "reject.schema.json")) as file:
            published = json.load(file)
        own = DESCRIPTION.document["components"]["schemas"]
        # The service names no file, and gives no text of a record.
        self.assertEqual(set(own["reject"]["properties"]), set(published["properties"]) - {"file", "raw"})
        self.assertEqual(set(own["error"]["properties"]), set(published["$defs"]["mappingError"]["properties"]))
        import jsonschema
        feed, _ = people(3)
        with Service() as service:
            summary = service.post(feed + b'{"id":"one","age":"old"}\n', Upload_ID="wrong").json
            listed = service.request("GET", "/uploads/wrong/rejects").json
        self.assertEqual((len(summary["firstRejects"]), len(listed["rejects"])), (1, 1))
        for reject in summary["firstRejects"] + listed["rejects"]:
            jsonschema.validate(reject, published)


if __name__ == "__main__":
    unittest.main()
