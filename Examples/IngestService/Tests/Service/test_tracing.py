"""Traces: what a collector of OpenTelemetry gets, and what happens if there is none."""
import http.server
import json
import threading
import time
import unittest

from harness import Service, answer, eventually, people

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


class Collector:
    """Takes spans as a collector does, and keeps them."""

    def __init__(self, status=200):
        self.spans, self.requests, self.status = [], [], status
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.requests.append((self.path, self.headers["Content-Type"], body))
                for resource in body["resourceSpans"]:
                    for scope in resource["scopeSpans"]:
                        outer.spans += scope["spans"]
                self.send_response(outer.status)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *_):
                pass
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def named(self, name):
        return [span for span in self.spans if span["name"] == name]


def attributes(part):
    return {attribute["key"]: next(iter(attribute["value"].values())) for attribute in part["attributes"]}


class Traces(unittest.TestCase):
    def collector(self, **options):
        made = Collector(**options)
        self.addCleanup(made.close)
        return made

    def test_a_feed_has_its_spans_in_the_trace_of_its_client(self):
        feed, _ = people(3000)
        collector = self.collector()
        with Service(traces=collector.address) as service:
            sent = service.post(feed + b'{"id":"my-secret","name":"Bo","age":1}\n', Upload_ID="traced", traceparent=PARENT)
            self.assertEqual(sent.status, 200)
            self.assertRegex(service.logged(), r"trace=0af7651916cd43dd8448eb211c80319c.* upload=traced|upload=traced.* trace=0af7651916cd43dd8448eb211c80319c")
            self.assertTrue(eventually(lambda: collector.named("/ingest/**")))
        request, = collector.named("/ingest/**")
        fed, = collector.named("streammap.feed")
        writes = collector.named("write to the database")
        self.assertEqual((request["traceId"], request["parentSpanId"], request["kind"]), (PARENT[3:35], PARENT[36:52], 2))
        self.assertEqual(fed["parentSpanId"], request["spanId"])
        self.assertGreaterEqual(len(writes), 2)
        for span in (request, fed, *writes):
            self.assertEqual(span["traceId"], PARENT[3:35])
            self.assertRegex(span["spanId"], r"^[0-9a-f]{16}$")
            self.assertLess(int(span["startTimeUnixNano"]), int(span["endTimeUnixNano"]))
            self.assertLess(abs(int(span["endTimeUnixNano"]) / 1e9 - time.time()), 60)
        self.assertEqual(attributes(request)["http.response.status_code"], "200")
        found = attributes(fed)
        self.assertEqual((found["streammap.mapped"], found["streammap.rejected"], found["streammap.verdict"]), ("3000", "1", "complete"))
        event, = fed["events"]
        self.assertEqual((event["name"], attributes(event)["streammap.line"]), ("record rejected", "3001"))
        # No value of a feed is in any of them.
        self.assertNotIn("my-secret", json.dumps(collector.requests))
        path, kind, body = collector.requests[0]
        self.assertEqual((path, kind), ("/v1/traces", "application/json"))
        self.assertEqual(attributes(body["resourceSpans"][0]["resource"])["service.name"], "IngestService")

    def test_a_refusal_is_a_span_with_its_status(self):
        collector = self.collector()
        with Service(traces=collector.address + "/") as service:
            service.post(b"{", "acme/none")
            service.post(b'{"id":[}\n')
            self.assertTrue(eventually(lambda: len(collector.named("/ingest/**")) == 2))
        statuses = {attributes(span)["http.response.status_code"]: span for span in collector.named("/ingest/**")}
        self.assertEqual(set(statuses), {"404", "422"})
        fed, = collector.named("streammap.feed")
        self.assertEqual(fed["status"]["code"], 2)
        for span in statuses.values():
            self.assertRegex(span["traceId"], r"^[0-9a-f]{32}$")
            self.assertNotIn("parentSpanId", span)

    def test_a_wrong_parent_is_none_and_what_is_not_sampled_is_not_sent(self):
        feed, _ = people(3)
        collector = self.collector()
        wrong = ["", "00", PARENT[:-1], PARENT + "-00", PARENT.upper(), "ff" + PARENT[2:], PARENT.replace("0af7", "0xf7"),
                 "00-" + "0" * 32 + PARENT[35:], PARENT[:36] + "0" * 16 + "-01"]
        with Service(traces=collector.address) as service:
            self.assertEqual(service.post(feed, traceparent=PARENT[:-2] + "00").status, 200)
            for parent in wrong:
                self.assertEqual(service.post(feed, traceparent=parent).status, 200)
            self.assertTrue(eventually(lambda: len(collector.named("/ingest/**")) == len(wrong)))
        for span in collector.named("/ingest/**"):
            self.assertNotIn("parentSpanId", span)
            self.assertNotEqual(span["traceId"], PARENT[3:35])

    def test_the_last_spans_are_sent_at_the_end(self):
        feed, _ = people(3000)
        collector = self.collector()
        with Service(traces=collector.address, graceSeconds=30) as service:
            with service.begun("last", len(feed), feed[:1000]) as plug:
                self.assertTrue(eventually(service.feeds))
                stopper = threading.Thread(target=service.stop)
                stopper.start()
                time.sleep(0.3)
                plug.sendall(feed[1000:])
                self.assertEqual(answer(plug).status, 200)
                stopper.join()
        self.assertIn("/ingest/**", {span["name"] for span in collector.spans})

    def test_a_collector_that_is_away_or_refuses_costs_a_line_of_the_log(self):
        feed, rows = people(100)
        refusing = self.collector(status=500)
        for address in ("http://127.0.0.1:9", refusing.address):
            with Service(traces=address) as service:
                self.assertEqual(service.post(feed, Upload_ID="untraced").status, 200)
                self.assertTrue(eventually(lambda: "the collector takes no spans" in service.logged(), 20))
                service.post(feed)
                time.sleep(2.5)
                self.assertEqual(service.logged().count("the collector takes no spans"), 1)
                self.assertEqual(service.rows("untraced"), rows)

    def test_nothing_is_traced_by_default(self):
        feed, _ = people(10)
        with Service() as service:
            service.post(feed + b'{"id":"x"}\n', traceparent=PARENT)
            self.assertIn("record rejected", service.logged())
            self.assertNotIn("trace=", service.logged())


if __name__ == "__main__":
    unittest.main()
