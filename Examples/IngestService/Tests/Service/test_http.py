"""What the service promises over HTTP: every status, resumption, limits, and what is in the database afterwards."""
import json
import os
import random
import shutil
import signal
import subprocess
import time
import unittest

from harness import TOKEN, Service, answer, compressed, eventually, in_threads, people


class Feeds(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = Service()

    @classmethod
    def tearDownClass(cls):
        cls.service.__exit__()

    def check(self, answer, status, rows=None):
        self.assertEqual(answer.status, status, answer.body)
        if rows is not None:
            self.assertEqual(self.service.rows(answer.headers["upload-id"]), rows)

    def test_lines(self):
        feed, rows = people(3000)
        answer = self.service.post(feed)
        self.check(answer, 200, rows)
        self.assertEqual((answer.json["verdict"], answer.json["records"], answer.json["mapped"]), ("complete", 3000, 3000))
        self.assertEqual(answer.offset, len(feed))
        self.assertEqual(answer.headers["upload-complete"], "?1")

    def test_an_array_and_a_document(self):
        _, rows = people(1500)
        self.check(self.service.post(json.dumps(rows).encode(), "acme/array"), 200, rows)
        items = [{"sku": n, "price": n / 4} for n in range(1500)]
        answer = self.service.post(json.dumps({"catalog": {"more": [1], "items": items}}).encode(), "acme/catalog")
        self.check(answer, 200, items)

    def test_chunked(self):
        feed, rows = people(500)
        pieces = [feed[n:n + 777] for n in range(0, len(feed), 777)]
        self.check(self.service.post(pieces, Transfer_Encoding="chunked"), 200, rows)

    def test_gzip(self):
        feed, rows = people(5000)
        self.check(self.service.post(compressed(feed), Content_Encoding="gzip"), 200, rows)
        self.check(self.service.post(compressed(feed)), 200, rows)

    @unittest.skipUnless(shutil.which("zstd"), "the tool zstd is not installed")
    def test_zstd(self):
        feed, rows = people(5000)
        packed = subprocess.run(["zstd", "-q", "-c"], input=feed, stdout=subprocess.PIPE, check=True).stdout
        self.check(self.service.post(packed, Content_Encoding="zstd"), 200, rows)

    def test_damaged_and_cut_compression(self):
        feed, _ = people(5000)
        packed = compressed(feed)
        self.check(self.service.post(packed[:-20], Content_Encoding="gzip"), 400)
        self.check(self.service.post(b"\x1f\x8b\x08\x00" + os.urandom(1000), Content_Encoding="gzip"), 400)
        self.check(self.service.post(feed, Content_Encoding="gzip"), 400)
        self.check(self.service.post(feed, Content_Encoding="br"), 415)

    def test_a_bomb(self):
        bomb = compressed(b'{"id":1,"name":"a","age":' + b" " * (400 << 20) + b"1}")
        started = time.monotonic()
        answer = self.service.post(bomb, Content_Encoding="gzip")
        self.assertIn(answer.status, (400, 413))
        self.assertLess(time.monotonic() - started, 20)

    def test_rejects_have_an_address_and_no_values(self):
        feed, rows = people(20)
        bad = b'{"id":21,"name":"Bo","age":"my-secret"}\n'
        answer = self.service.post(feed + bad + b'{"id":22}\n')
        self.check(answer, 200, rows)
        self.assertEqual(answer.json["rejected"], 2)
        rejects = self.service.rejects(answer.headers["upload-id"])
        start = len(feed) + bad.index(b'"my-secret"')
        self.assertEqual(rejects[0][:7], (21, 21, 28, start, start + len(b'"my-secret"'), "wrongType", "$.age"))
        self.assertEqual([reject[0] for reject in rejects], [21, 22])
        self.assertIn("record.line", self.service.logged())
        self.assertNotIn("my-secret", answer.body.decode() + str(rejects) + self.service.logged())

    def test_too_many_rejects(self):
        feed, rows = people(20)
        answer = self.service.post(feed + b'{"id":0}\n' * 100)
        self.check(answer, 422, rows)
        self.assertEqual(answer.json["verdict"], "rejected")
        self.check(self.service.post(b"<html>not a feed</html>"), 422, [])

    def test_malformed_and_truncated(self):
        few = b'{"catalog":{"items":[{"sku":1,"price":2},{"sku":2,"price":3}'
        for end, status in ((b"]}}", 200), (b"]}", 400), (b"", 400), (b"}]}}", 400)):
            answer = self.service.post(few + end, "acme/catalog")
            self.check(answer, status, [{"sku": 1, "price": 2}, {"sku": 2, "price": 3}])
            self.assertNotIn("position", answer.json)
        # What was truncated continues at its offset.
        answer = self.service.post(few + b"]", "acme/catalog", Upload_ID="whole")
        self.check(answer, 400)
        self.check(self.service.patch("whole", answer.offset, (few + b"]}}")[answer.offset:]), 200, [
            {"sku": 1, "price": 2}, {"sku": 2, "price": 3}])
        items = [{"sku": n, "price": n} for n in range(3000)]
        document = json.dumps({"catalog": {"items": items}}).encode()
        feed, _ = people(3000)
        cases = [("catalog", document, "complete"), ("catalog", document[:-2], "truncated"), ("catalog", document[:-30], "truncated"),
                 ("catalog", document[:-2] + b"]}", "malformed"), ("people", feed + b'{"id":6,"na', "truncated")]
        for mapping, body, verdict in cases:
            answer = self.service.post(body, f"acme/{mapping}")
            self.check(answer, 200 if verdict == "complete" else 400)
            self.assertEqual(answer.json["verdict"], verdict)
            # What was stored is a beginning, up to the offset.
            rows = self.service.rows(answer.headers["upload-id"])
            self.assertEqual(rows, (items if mapping == "catalog" else people(3000)[1])[:len(rows)])
            self.assertGreaterEqual(len(rows), 2000)
            self.assertGreater(answer.offset, len(body) // 2)
            self.assertLessEqual(answer.offset, len(body))

    def test_who_may_not(self):
        feed, _ = people(1)
        self.check(self.service.post(feed, token=None), 401)
        self.check(self.service.post(feed, token=TOKEN[:-1]), 401)
        self.check(self.service.post(feed, "other/people"), 403)
        self.check(self.service.post(feed, "acme/none"), 404)
        self.check(self.service.post(feed, "acme/../other/people"), 404)
        self.check(self.service.post(feed, Upload_ID="a b"), 400)
        self.check(self.service.request("HEAD", "/uploads/none"), 404)

    def test_an_upload_is_of_its_tenant(self):
        feed, rows = people(3)
        self.check(self.service.post(feed, Upload_ID="mine"), 200, rows)
        self.assertEqual(self.service.request("HEAD", "/uploads/mine", token="other-token").status, 404)
        self.check(self.service.post(feed, "acme/catalog", Upload_ID="mine"), 409)

    def test_a_refused_body_ends_with_its_connection(self):
        with self.service.begun("endless", 1 << 40, mapping="acme/none") as plug:
            self.assertEqual(answer(plug).status, 404)
            started = time.monotonic()
            with self.assertRaises(OSError):
                while time.monotonic() - started < 20:
                    plug.sendall(b" " * 65536)
            self.assertLess(time.monotonic() - started, 15)

    def test_a_connection_goes_on_after_a_feed(self):
        feed, rows = people(3)
        with self.service.begun("first", len(feed), feed) as plug:
            self.assertEqual(answer(plug).status, 200)
            plug.sendall(b"GET /health/ready HTTP/1.1\r\nHost: a\r\n\r\n")
            self.assertEqual(answer(plug, "GET", "/health/ready").status, 204)

    def test_metrics_health_and_figures(self):
        feed, _ = people(10)
        self.check(self.service.post(feed), 200)
        text = self.service.request("GET", "/metrics", token=None).body.decode()
        self.assertRegex(text, r"(?m)^# TYPE \w+ counter$")
        self.assertRegex(text, r"(?m)^streammap_\w*records\w*(\{.*\})? [1-9]")
        for line in text.splitlines():
            self.assertRegex(line, r'^(# TYPE \w+ (counter|gauge|summary|histogram)|\w+(\{(\w+="[^"\n]*",?)+\})? -?[0-9.e+-]+)$')
        self.assertEqual(self.service.request("GET", "/health/live", token=None).status, 204)
        with self.service.begun("shown", 1 << 20, feed):
            self.assertTrue(eventually(lambda: self.service.feeds()))
            self.assertEqual(self.service.feeds()[0]["mapping"], "acme/people")

    def test_a_mapping_that_changes(self):
        feed, rows = people(2)
        self.check(self.service.post(feed, "acme/new"), 404)
        self.service.map("acme/new", "streammap: 1\nrecord: { id: id }\n")
        self.assertTrue(eventually(lambda: self.service.post(feed, "acme/new").status == 200))
        self.service.map("acme/new", "streammap: 1\nrecord: { id: ")
        time.sleep(3)
        self.check(self.service.post(feed, "acme/new"), 200, [{"id": 1}, {"id": 2}])


class Resumption(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = Service()

    @classmethod
    def tearDownClass(cls):
        cls.service.__exit__()

    def test_a_client_that_is_cut_off_goes_on(self):
        feed, rows = people(20_000)
        cut = len(feed) * 3 // 5
        with self.service.begun("cut", len(feed), feed[:cut]):
            self.assertTrue(eventually(lambda: (self.service.offset("cut") or 0) > cut // 2))
        self.assertTrue(eventually(lambda: not self.service.feeds()))
        offset = self.service.offset("cut")
        self.assertLessEqual(offset, cut)
        answer = self.service.patch("cut", offset, feed[offset:])
        self.assertEqual((answer.status, answer.json["verdict"], answer.offset), (200, "complete", len(feed)))
        self.assertEqual(self.service.rows("cut"), rows)
        status = self.service.request("GET", "/uploads/cut").json
        self.assertEqual((status["complete"], status["records"], status["mapped"]), (True, 20_000, 20_000))

    def parts(self, name, feed, mapping, chance, pack=lambda part: (part, {})):
        """Sends a feed in parts that are cut anywhere; the last one alone says that it is."""
        offset, answer = 0, None
        while answer is None or answer.status == 204:
            end = min(offset + chance.randint(1, len(feed) // 3), len(feed))
            body, fields = pack(feed[offset:end])
            complete = end == len(feed)
            if answer is None:
                answer = self.service.request("POST", f"/ingest/{mapping}", body, dict(
                    fields, **{"Upload-ID": name, "Upload-Complete": "?1" if complete else "?0"}))
            else:
                answer = self.service.patch(name, offset, body, complete, fields)
            self.assertIn(answer.status, (200, 204), answer.body)
            self.assertLessEqual(answer.offset, end)
            offset = answer.offset
        return answer

    def test_parts_cut_anywhere(self):
        feed, rows = people(2000)
        items = [{"sku": n, "price": n} for n in range(2000)]
        document = json.dumps({"catalog": {"items": items}, "after": [1, 2]}).encode()
        for seed in range(8):
            chance = random.Random(seed)
            self.parts(f"lines-{seed}", feed, "acme/people", chance)
            self.assertEqual(self.service.rows(f"lines-{seed}"), rows)
            self.parts(f"document-{seed}", document, "acme/catalog", chance)
            self.assertEqual(self.service.rows(f"document-{seed}"), items)

    def test_compressed_parts_count_plain_bytes(self):
        feed, rows = people(2000)
        self.parts("packed", feed, "acme/people", random.Random(9), lambda part: (compressed(part), {"Content-Encoding": "gzip"}))
        self.assertEqual(self.service.rows("packed"), rows)

    def test_the_same_part_twice_changes_nothing(self):
        feed, rows = people(100)
        half = feed.index(b"\n", len(feed) // 2) + 1
        first = self.service.request("POST", "/ingest/acme/people", feed[:half], {"Upload-ID": "twice", "Upload-Complete": "?0"})
        self.assertEqual((first.status, first.offset), (204, half))
        again = self.service.request("POST", "/ingest/acme/people", feed[:half], {"Upload-ID": "twice", "Upload-Complete": "?0"})
        self.assertEqual((again.status, again.offset), (409, half))
        self.assertEqual((again.json["expected-offset"], again.json["provided-offset"]), (half, 0))
        last = self.service.patch("twice", half, feed[half:])
        self.assertEqual(last.status, 200)
        self.assertEqual(self.service.patch("twice", half, feed[half:]).status, 409)
        whole = self.service.post(feed, Upload_ID="twice")
        self.assertEqual((whole.status, whole.body), (200, last.body))
        self.assertEqual(self.service.rows("twice"), rows)

    def test_a_wrong_offset(self):
        feed, _ = people(100)
        self.service.request("POST", "/ingest/acme/people", feed, {"Upload-ID": "wrong", "Upload-Complete": "?0"})
        for offset in (0, 1, len(feed) - 1, len(feed) + 1, "x", -1):
            answer = self.service.patch("wrong", offset, b"")
            self.assertEqual(answer.status, 400 if offset == "x" else 409)
            self.assertEqual(answer.offset, len(feed))

    def test_an_end_without_bytes(self):
        feed, rows = people(100)
        self.service.request("POST", "/ingest/acme/people", feed, {"Upload-ID": "late", "Upload-Complete": "?0"})
        answer = self.service.patch("late", len(feed), b"")
        self.assertEqual((answer.status, answer.json["verdict"]), (200, "complete"))
        self.assertEqual(self.service.rows("late"), rows)

    def test_two_writers(self):
        feed, rows = people(3000)
        with self.service.begun("two", len(feed), feed[:1000]) as plug:
            self.assertTrue(eventually(lambda: self.service.feeds()))
            answer_of_second = self.service.post(feed, Upload_ID="two")
            self.assertEqual(answer_of_second.status, 409)
            plug.sendall(feed[1000:])
            self.assertEqual(answer(plug).status, 200)
        self.assertEqual(self.service.rows("two"), rows)

    def test_many_writers_of_one_upload_at_once(self):
        feed, rows = people(3000)
        statuses = []
        in_threads(8, lambda _: statuses.append(self.service.post(feed, Upload_ID="many").status))
        self.assertIn(200, statuses)
        self.assertLessEqual(set(statuses), {200, 409})
        self.assertEqual(self.service.rows("many"), rows)

    def test_a_budget_is_of_the_whole_upload(self):
        feed = b'{"id":0}\n' * 8
        self.service.request("POST", "/ingest/acme/people", feed, {"Upload-ID": "spent", "Upload-Complete": "?0"})
        self.assertEqual(self.service.patch("spent", len(feed), feed).status, 422)


class Limits(unittest.TestCase):
    def test_bytes_and_records(self):
        feed, rows = people(1000)
        with Service({"maximumBytes": len(feed) - 1}) as service:
            self.assertEqual(service.post(feed).status, 413)
            self.assertEqual(service.post([feed], Transfer_Encoding="chunked").status, 413)
            self.assertEqual(service.post(compressed(feed)).status, 413)
            half = feed.index(b"\n", len(feed) // 2) + 1
            service.request("POST", "/ingest/acme/people", feed[:half], {"Upload-ID": "parts", "Upload-Complete": "?0"})
            self.assertEqual(service.patch("parts", half, feed[half:]).status, 413)
        with Service({"maximumRecords": 10}) as service:
            answer = service.post(feed)
            self.assertEqual(answer.status, 413)
            self.assertEqual(service.rows(answer.headers["upload-id"]), rows[:10])

    def test_time(self):
        feed, _ = people(10)
        with Service({"maximumSeconds": 1}) as service, service.begun("late", 1 << 20, feed) as plug:
            for _ in range(40):
                try:
                    plug.sendall(feed)
                except OSError:
                    break
                time.sleep(0.1)
            self.assertEqual(answer(plug).status, 408)

    def test_too_many_at_once(self):
        feed, _ = people(1)
        with Service({"feeds": 1}, feeds=2) as service, service.begun("one", 1000, feed):
            self.assertTrue(eventually(lambda: service.feeds()))
            refused = service.post(feed)
            self.assertEqual((refused.status, refused.headers["retry-after"]), (429, "1"))
            self.assertEqual(service.post(feed, "other/people", token="other-token").status, 200)
        with Service(feeds=1) as service, service.begun("one", 1000, feed):
            self.assertTrue(eventually(lambda: service.feeds()))
            self.assertEqual(service.post(feed).status, 503)

    def test_a_client_that_is_too_slow(self):
        feed, _ = people(1)
        with Service(minimumPace=1000, paceSeconds=1) as service, service.begun("slow", 1 << 20, feed) as plug:
            started = time.monotonic()
            self.assertEqual(answer(plug).status, 408)
            self.assertLess(time.monotonic() - started, 15)
            self.assertEqual(service.post(feed).status, 200)


class Ending(unittest.TestCase):
    def test_a_feed_that_is_nearly_done_comes_to_its_end(self):
        feed, rows = people(3000)
        service = Service(graceSeconds=20)
        with service, service.begun("done", len(feed), feed[:1000]) as plug:
            self.assertTrue(eventually(lambda: service.feeds()))
            service.process.send_signal(signal.SIGTERM)
            self.assertTrue(eventually(lambda: service.request("GET", "/health/ready", token=None).status == 503))
            self.assertEqual(service.post(feed).status, 503)
            plug.sendall(feed[1000:])
            self.assertEqual(answer(plug).status, 200)
            self.assertEqual(service.process.wait(10), 0)
            self.assertEqual(service.rows("done"), rows)

    def test_a_feed_that_is_not_done_goes_on_after_a_start(self):
        feed, rows = people(20_000)
        with Service(graceSeconds=1) as service:
            with service.begun("on", len(feed), feed[:len(feed) // 2]) as plug:
                self.assertTrue(eventually(lambda: (service.offset("on") or 0) > len(feed) // 4))
                service.process.send_signal(signal.SIGTERM)
                self.assertEqual(answer(plug).status, 503)
            self.assertEqual(service.stop(), 0)
            service.start()
            offset = service.offset("on")
            self.assertEqual(service.patch("on", offset, feed[offset:]).status, 200)
            self.assertEqual(service.rows("on"), rows)


if __name__ == "__main__":
    unittest.main()
