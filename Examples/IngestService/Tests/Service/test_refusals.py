"""What is refused: with which answer, what its client does next, and what the operator sees of it in the log and in the metrics."""
import contextlib
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import time
import unittest

from harness import PEOPLE, Service, answer, compressed, eventually, in_threads, new_name, people

TWO_FAULTS = b'{"id":"one","name":"Bo","age":"old"}\n'


class Case(unittest.TestCase):
    def problem(self, answer, status):
        """A refusal has a body that says why (RFC 9457)."""
        self.assertEqual(answer.status, status, answer.body)
        self.assertEqual(answer.headers["content-type"], "application/problem+json")
        self.assertEqual(answer.json["status"], status)
        self.assertTrue(answer.json["detail"])
        return answer

    def says_where(self, service, answer, name):
        """A refusal after which the client can continue; where it does."""
        self.assertEqual(answer.headers["upload-id"], name)
        self.assertEqual(answer.headers["location"], f"/uploads/{name}")
        self.assertEqual(answer.headers["upload-complete"], "?0")
        self.assertEqual(answer.offset, service.offset(name))
        return answer.offset


class Database(Case):
    def test_a_database_that_another_program_holds(self):
        feed, rows = people(3000)
        half = feed.index(b"\n", len(feed) // 2) + 1
        with Service(databaseSeconds=1) as service:
            self.assertEqual(service.post(feed[:half], Upload_ID="begun", Upload_Complete="?0").status, 204)
            with service.held():
                new = self.problem(service.post(feed, Upload_ID="new"), 503)
                begun = self.problem(service.patch("begun", half, feed[half:]), 503)
                started = time.monotonic()
                # Each gives up in its own time, not after those before it.
                in_threads(15, lambda _: self.problem(service.post(feed), 503))
                self.assertLess(time.monotonic() - started, 8)
                self.problem(service.request("GET", "/health/ready", token=None), 503)
            self.assertEqual((new.headers["retry-after"], begun.headers["retry-after"]), ("1", "1"))
            offset = self.says_where(service, begun, "begun")
            self.assertRegex(service.logged(), r" error .*(?:database is locked|lock timeout).*upload=begun")
            self.assertEqual(service.request("GET", "/health/ready", token=None).status, 204)
            self.assertEqual(service.patch("begun", offset, feed[offset:]).status, 200)
            self.assertEqual(service.post(feed, Upload_ID="new").status, 200)
            self.assertEqual((service.rows("begun"), service.rows("new")), (rows, rows))

    def test_a_short_wait_for_the_database_is_no_error(self):
        feed, rows = people(100)
        with Service(databaseSeconds=20) as service:
            with contextlib.ExitStack() as stack:
                lock = stack.enter_context(contextlib.ExitStack())
                lock.enter_context(service.held())
                plug = stack.enter_context(service.begun("waits", len(feed), feed))
                plug.settimeout(1)
                with self.assertRaises(TimeoutError):
                    plug.recv(1)
                lock.close()
                plug.settimeout(30)
                self.assertEqual(answer(plug).status, 200)
            self.assertEqual(service.rows("waits"), rows)
            self.assertNotIn(" error ", service.logged())


def has_disks():
    """Whether a process may have a disk of its own here."""
    made = subprocess.run(["unshare", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True)
    return made.returncode == 0


@unittest.skipUnless(shutil.which("unshare") and has_disks(), "no process may mount a disk of its own here")
class FullDisk(Case):
    def fill(self, service, leave):
        """Leaves so many bytes of the disk free."""
        path = service.seen_by_it(service.path("disk/other"))
        found = os.statvfs(os.path.dirname(path))
        with open(path, "ab") as file:
            file.write(b"x" * (found.f_bavail * found.f_frsize - leave))
        return path

    def test_a_full_disk_loses_nothing(self):
        feed, rows = people(60_000)
        half = feed.index(b"\n", len(feed) // 2) + 1
        with Service(disk=64 << 20) as service:
            self.assertEqual(service.post(feed[:half], Upload_ID="begun", Upload_Complete="?0").status, 204)
            other = self.fill(service, 3 << 20)
            refused = self.problem(service.patch("begun", half, feed[half:] + feed), 507)
            self.assertEqual(refused.headers["retry-after"], "10")
            offset = self.says_where(service, refused, "begun")
            self.assertGreaterEqual(offset, half)
            self.fill(service, 0)
            self.problem(service.post(feed, Upload_ID="new"), 507)
            self.assertRegex(service.logged(), r" error .*database or disk is full.*upload=new")
            # What is stored can be read, and is a beginning of the feed.
            self.assertEqual(service.request("GET", "/uploads").status, 200)
            stored = service.rows("begun")
            self.assertEqual(stored, (rows + rows)[:len(stored)])
            self.assertEqual(service.request("GET", "/uploads/begun").json["records"], len(stored))
            os.remove(other)
            self.assertEqual(service.request("GET", "/health/ready", token=None).status, 204)
            self.assertEqual(service.patch("begun", offset, (feed + feed)[offset:]).status, 200)
            self.assertEqual(service.rows("begun"), rows + rows)
            start = service.offset("new") or 0
            again = service.patch("new", start, feed[start:]) if start else service.post(feed, Upload_ID="new")
            self.assertEqual((again.status, service.rows("new")), (200, rows))


class GoingOn(Case):
    def goes_on(self, service, answer, status, name, feed, rows, stored=True):
        """What was stored is a beginning of the feed, and after the rest of it nothing is lost or doubled."""
        self.problem(answer, status)
        offset = self.says_where(service, answer, name)
        self.assertEqual(offset > 0, stored)
        self.assertEqual(service.rows(name), rows[:len(service.rows(name))])
        self.assertEqual(service.patch(name, offset, feed[offset:]).status, 200)
        self.assertEqual(service.rows(name), rows)

    def test_a_feed_needs_a_name(self):
        feed, _ = people(10)
        with Service() as service:
            nameless = service.request("POST", "/ingest/acme/people", feed)
            self.assertIn("Upload-ID", self.problem(nameless, 400).json["detail"])
            self.assertEqual(service.query("SELECT count(*) FROM uploads"), [(0,)])

    def test_compression_that_is_cut_or_damaged(self):
        feed, rows = people(60_000)
        packed = compressed(feed)
        with Service() as service:
            cut = service.post(packed[:len(packed) * 3 // 4], Upload_ID="cut", Content_Encoding="gzip")
            self.goes_on(service, cut, 400, "cut", feed, rows)
            # What comes out of it may be wrong before the damage is seen: the upload is where it was before.
            damaged = bytearray(packed)
            damaged[-8] ^= 1  # Its check sum is seen last.
            first = service.post(bytes(damaged), Upload_ID="damaged", Content_Encoding="gzip")
            self.goes_on(service, first, 400, "damaged", feed, rows, stored=False)
            half = feed.index(b"\n", len(feed) // 2) + 1
            service.post(b'{"id":"x"}\n' + feed[:half], Upload_ID="later", Upload_Complete="?0")
            rest = bytearray(compressed(feed[half:] + b'{"id":"x"}\n'))
            rest[-8] ^= 1
            later = service.patch("later", half + 11, bytes(rest), headers={"Content-Encoding": "gzip"})
            self.assertEqual((later.offset, {reject[0] for reject in service.rejects("later")}), (half + 11, {1}))
            self.goes_on(service, later, 400, "later", b'{"id":"x"}\n' + feed, rows)
            self.assertNotIn(" error ", service.logged())

    def test_damage_that_is_seen_as_wrong_records(self):
        feed, rows = people(60_000)
        packed = bytearray(compressed(feed))
        packed[len(packed) * 3 // 4:len(packed) * 3 // 4 + 64] = random.Random(1).randbytes(64)
        with Service() as service:
            refused = service.post(bytes(packed), Upload_ID="spoilt", Content_Encoding="gzip")
            self.assertEqual(refused.status, 422)
            # To continue would lose what the damage took.
            self.problem(service.patch("spoilt", refused.offset, feed[refused.offset:]), 409)
            self.assertEqual(service.request("DELETE", "/uploads/spoilt").status, 204)
            self.assertEqual(service.post(compressed(feed), Upload_ID="spoilt", Content_Encoding="gzip").status, 200)
            self.assertEqual(service.rows("spoilt"), rows)

    def test_the_ratio_of_compression_is_a_setting(self):
        feed, rows = people(60_000, pad=400)
        packed = compressed(feed)
        with Service({"maximumExpansion": 2}) as service:
            refused = service.post(packed, Upload_ID="ratio", Content_Encoding="gzip")
            self.goes_on(service, refused, 413, "ratio", feed, rows)
        with Service({"maximumExpansion": 1000}) as service:
            self.assertEqual(service.post(packed, Upload_ID="ratio", Content_Encoding="gzip").status, 200)

    def test_a_body_that_is_cut(self):
        feed, rows = people(60_000)
        with Service() as service, service.begun("cut", len(feed), feed[:len(feed) * 3 // 4]) as plug:
            plug.shutdown(socket.SHUT_WR)
            self.goes_on(service, answer(plug), 400, "cut", feed, rows)
            self.assertNotIn(" error ", service.logged())

    def test_a_client_that_is_too_slow(self):
        feed, rows = people(60_000)
        with Service(minimumPace=1000, paceSeconds=1, idleSeconds=30) as service:
            with service.begun("slow", len(feed), feed[:len(feed) // 2]) as plug:
                self.goes_on(service, answer(plug), 408, "slow", feed, rows)

    def test_a_service_that_stops(self):
        feed, rows = people(60_000)
        with Service(graceSeconds=0) as service:
            with service.begun("stopped", len(feed), feed[:len(feed) // 2]) as plug:
                self.assertTrue(eventually(lambda: (service.offset("stopped") or 0) > len(feed) // 4))
                service.process.send_signal(signal.SIGTERM)
                stopped = self.problem(answer(plug), 503)
            service.stop()
            service.start()
            self.goes_on(service, stopped, 503, "stopped", feed, rows)


class Told(Case):
    """What the operator and the client are told."""

    @classmethod
    def setUpClass(cls):
        cls.service = Service()

    @classmethod
    def tearDownClass(cls):
        cls.service.__exit__()

    def test_the_errors_of_a_record_one_by_one(self):
        feed, rows = people(20)
        found = self.service.post(feed + TWO_FAULTS, Upload_ID="faults")
        self.assertEqual((found.status, found.json["rejected"]), (200, 1))
        line = TWO_FAULTS.decode()
        expected = []
        for path, text in (("$.id", '"one"'), ("$.age", '"old"')):
            start = len(feed) + line.index(text)
            expected.append((21, 21, line.index(text) + 1, start, start + len(text), "wrongType", path))
        self.assertEqual([row[:7] for row in self.service.rejects("faults")], expected)
        log = [line for line in self.service.logged().splitlines() if "record rejected" in line and "upload=faults" in line]
        self.assertEqual([re.search(r"record\.path=(\S+)", line)[1] for line in log], ["$.id", "$.age"])
        for _, number, column, start, end, _, _ in expected:
            self.assertTrue(any(f"record.bytes={start}..<{end}" in line and f"record.line={number}" in line
                                and f"record.column={column}" in line for line in log), log)
        for body in (found.body, self.service.request("GET", "/uploads/faults").body):
            self.assertNotIn(b'"_0"', body)
            self.assertNotIn(b'"mapping":{', body)

    def errors(self):
        text = self.service.request("GET", "/metrics", token=None).body.decode()
        return sum(float(count) for count in re.findall(r"(?m)^hb_request_errors_total\{.*\} (\S+)$", text))

    def test_each_refusal_counts_as_an_error(self):
        feed, _ = people(20)
        refusals = [
            (401, lambda: self.service.post(feed, token=None)), (404, lambda: self.service.request("GET", "/nowhere")),
            (403, lambda: self.service.post(feed, "other/people")), (415, lambda: self.service.post(feed, Content_Encoding="br")),
            (422, lambda: self.service.post(b'{"id":0}\n' * 20)), (400, lambda: self.service.post(feed[:-5]))]
        for status, refusal in refusals:
            before = self.errors()
            self.assertEqual(refusal().status, status)
            self.assertEqual(self.errors(), before + 1, status)

    def test_metrics_and_log_lines_have_the_mapping_and_the_upload(self):
        feed, _ = people(20)
        self.assertEqual(self.service.post(feed + TWO_FAULTS, Upload_ID="named").status, 200)
        lines = [line for line in self.service.logged().splitlines() if "feed.name=named" in line]
        self.assertGreaterEqual(len(lines), 2)
        for line in lines:
            for part in ("tenant=acme", "mapping=acme/people", "upload=named"):
                self.assertIn(part, line)
        text = self.service.request("GET", "/metrics", token=None).body.decode()
        self.assertRegex(text, r'(?m)^streammap_records_total\{mapping="acme/people",outcome="mapped",tenant="acme"\} ')
        self.assertNotIn("named", text)

    def test_a_client_that_hangs_up_is_no_error(self):
        feed, _ = people(20_000)
        name = new_name()
        with self.service.begun(name, len(feed), feed[:len(feed) // 2]):
            self.assertTrue(eventually(lambda: self.service.offset(name)))
        self.assertTrue(eventually(lambda: not self.service.feeds()))
        lines = [line for line in self.service.logged().splitlines() if name in line]
        self.assertTrue(any("refused: the body ends before its length" in line for line in lines), lines)
        self.assertEqual([line for line in lines if " error " in line], [])
        text = self.service.request("GET", "/metrics", token=None).body.decode()
        self.assertNotIn('verdict="failed"', text)

    def test_names_of_mappings_are_decoded(self):
        self.service.map("acme/Größen im März", PEOPLE)
        feed, rows = people(3)
        path = "acme/Gr%C3%B6%C3%9Fen%20im%20M%C3%A4rz"
        self.assertTrue(eventually(lambda: self.service.post(feed, path).status == 200))
        self.assertEqual(self.service.post(feed, path, Upload_ID="umlauts").status, 200)
        self.assertEqual(self.service.rows("umlauts"), rows)
        self.assertEqual(self.service.request("GET", "/uploads/umlauts").json["mapping"], "acme/Größen im März")
        self.problem(self.service.post(feed, "acme/%ff"), 400)
        self.problem(self.service.post(feed, "acme%2F..%2Fother%2Fpeople"), 404)
        # A name cannot make a line of the log.
        self.problem(self.service.post(feed, "acme/a%0Aforged"), 404)
        self.assertNotRegex(self.service.logged(), r"(?m)^forged")

    def test_an_array_where_lines_were_expected_has_a_hint(self):
        self.service.map("acme/lines", PEOPLE.replace("record:", "input: { format: ndjson }\nrecord:", 1))
        self.assertTrue(eventually(lambda: self.service.post(b"", "acme/lines").status == 200))
        for feed in (b'[{"id":1,"name":"A","age":1},\n{"id":2,"name":"B","age":2}]\n', b'[\n{"id":1},\n{"id":2}\n]\n',
                     b'[{"id":1},{"id":2}]', b'[{"id":1},'):
            self.assertIn('records: "$[*]"', self.service.post(feed, "acme/lines").json.get("hint", ""), feed)
        for feed in (b'{"id":[}\n', b'{"id":"x"}\n', b"[]x"):
            self.assertNotIn("hint", self.service.post(feed, "acme/people").json if feed != b"[]x" else {}, feed)

    def test_feeds_are_shown_to_their_tenant_alone(self):
        feed, _ = people(10)
        with self.service.begun("shown", 1 << 20, feed):
            self.assertTrue(eventually(self.service.feeds))
            self.problem(self.service.request("GET", "/feeds", token=None), 401)
            self.assertEqual(self.service.request("GET", "/feeds", token="other-token").json, [])
            shown = self.service.feeds()[0]
            self.assertEqual((shown["tenant"], shown["upload"], shown["location"]), ("acme", "shown", "/uploads/shown"))

    def test_an_address_that_is_none_has_an_answer(self):
        for method, path in (("GET", "/nowhere"), ("POST", "/nowhere"), ("PUT", "/uploads/a"), ("GET", "/ingest/acme/people")):
            self.problem(self.service.request(method, path, token=None), 404)
        self.problem(self.service.request("POST", "/try", b"{"), 400)

    def test_mappings_are_shown_to_their_tenant_alone(self):
        text = PEOPLE.replace("name: people", "name: Straße 1")
        self.service.map("acme/Straße 1", text)
        self.service.map("acme/lines", PEOPLE)
        self.assertTrue(eventually(lambda: "acme/Straße 1" in self.service.request("GET", "/mappings").json["mappings"]))
        self.assertNotIn("other/people", self.service.request("GET", "/mappings").json["mappings"])
        self.assertEqual(self.service.request("GET", "/mappings", token="other-token").json, {"mappings": ["other/people"]})
        self.problem(self.service.request("GET", "/mappings", token=None), 401)
        shown = self.service.request("GET", "/mappings/acme/Stra%C3%9Fe%201")
        self.assertEqual((shown.status, shown.body.decode(), shown.headers["content-type"]), (200, text, "application/yaml"))
        self.problem(self.service.request("GET", "/mappings/acme/lines", token=None), 401)
        self.problem(self.service.request("GET", "/mappings/acme/lines", token="other-token"), 403)
        for name in ("acme/none", "acme/../other/people", "acme/%2e%2e/other/people", "acme/../../settings", "acme/people.map.yaml"):
            self.problem(self.service.request("GET", f"/mappings/{name}"), 404)
        self.problem(self.service.request("GET", "/mappings/acme/%ff"), 400)

    def test_a_try_says_what_is_wrong(self):
        def attempt(mapping, sample):
            answer = self.service.request("POST", "/try", json.dumps({"mapping": mapping, "sample": sample}).encode(), token=None)
            self.assertEqual(answer.status, 200)
            return answer.json
        tried = attempt(PEOPLE, '{"id":1,"name":"A","age":1}\n{"id":"x","name":"A"}\n')
        self.assertEqual((tried["mapped"], [failure["path"] for failure in tried["failures"]]), (['{"id":1,"name":"A","age":1}'], ["$.id", "$.age"]))
        self.assertEqual(attempt(PEOPLE, "")["mapped"], [])
        self.assertEqual(attempt(PEOPLE, '{"id":1')["summary"]["verdict"], "truncated")
        self.assertIn("hint", attempt(PEOPLE.replace("record:", "input: { format: ndjson }\nrecord:", 1), "[{}]\n"))
        for wrong in ("", "x", "streammap: 1\nrecord: { a: { form: b } }\n", "streammap: 1\nrecord: { a: [ }\n"):
            tried = attempt(wrong, "{}")
            self.assertEqual((tried["mistakes"] != [], tried["mapped"], "summary" in tried), (True, [], False), tried)


if __name__ == "__main__":
    unittest.main()
