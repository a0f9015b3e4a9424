"""How uploads go: deleted by their tenant, or kept long enough; and the lists of those that are there."""
import threading
import time
import unittest

from harness import PEOPLE, Service, answer, eventually, new_name, people
from test_refusals import Case

SECOND = 1 / 86_400


class Removal(Case):
    def is_gone(self, service, name):
        """Nothing of the upload is left, for its tenant and in the tables."""
        self.problem(service.request("GET", f"/uploads/{name}"), 404)
        self.assertTrue(eventually(lambda: not self.left(service, name)), self.left(service, name))

    def left(self, service, name):
        return service.query("SELECT name FROM uploads WHERE name = ? OR name LIKE ?", name, f"{name}/%")

    def is_empty(self, service):
        return all(service.query(f"SELECT count(*) FROM {table}") == [(0,)] for table in ("uploads", "records", "rejects"))


class Deleted(Removal):
    def test_an_upload_that_is_deleted_leaves_nothing(self):
        feed, rows = people(30_000)
        with Service() as service:
            for complete in ("?0", "?1"):
                service.post(b'{"id":0}\n' + feed, Upload_ID="gone", Upload_Complete=complete)
                self.assertEqual((len(service.rejects("gone")), len(service.rows("gone"))), (1, 30_000))
                self.problem(service.request("DELETE", "/uploads/gone", token=None), 401)
                self.problem(service.request("DELETE", "/uploads/gone", token="other-token"), 404)
                self.assertEqual(service.request("DELETE", "/uploads/gone").status, 204)
                self.assertTrue(self.is_empty(service))
                self.problem(service.request("DELETE", "/uploads/gone"), 404)
                self.problem(service.patch("gone", 0, feed), 404)
            self.assertEqual(service.post(feed, Upload_ID="gone").status, 200)
            self.assertEqual(service.rows("gone"), rows)

    def test_other_uploads_stay(self):
        feed, rows = people(10)
        with Service() as service:
            for name in ("one", "two", "three"):
                service.post(b'{"id":0}\n' + feed, Upload_ID=name)
            service.post(feed, "other/people", Upload_ID="two", token="other-token")
            self.assertEqual(service.request("DELETE", "/uploads/two").status, 204)
            for name in ("one", "three"):
                self.assertEqual((service.rows(name), len(service.rejects(name))), (rows, 1))
            self.assertEqual(service.rows("two"), rows)
            self.assertEqual(service.request("GET", "/uploads/two", token="other-token").json["records"], 10)

    def test_a_request_that_writes_to_it_is_told_and_ends(self):
        feed, rows = people(60_000)
        with Service() as service, service.begun("busy", len(feed), feed[:len(feed) // 2]) as plug:
            self.assertTrue(eventually(lambda: (service.offset("busy") or 0) > 0))
            self.assertEqual(service.request("DELETE", "/uploads/busy").status, 204)
            told = self.problem(answer(plug), 410)
            self.assertNotIn("upload-offset", told.headers)
            self.assertTrue(self.is_empty(service))
            self.assertEqual(service.feeds(), [])
            self.assertNotIn(" error ", service.logged())
            self.assertEqual(service.post(feed, Upload_ID="busy").status, 200)
            self.assertEqual(service.rows("busy"), rows)

    def test_many_writers_and_many_who_delete_at_once(self):
        feed, rows = people(3000)
        with Service() as service:
            statuses = set()

            def write():
                for _ in range(10):
                    statuses.add(service.post(feed, Upload_ID="contested").status)

            def delete():
                for _ in range(10):
                    statuses.add(service.request("DELETE", "/uploads/contested").status)
            threads = [threading.Thread(target=work) for work in (write, write, delete, delete)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertLessEqual(statuses, {200, 204, 404, 409, 410})
            service.request("DELETE", "/uploads/contested")
            self.assertTrue(self.is_empty(service))
            self.assertEqual(service.post(feed, Upload_ID="contested").status, 200)
            self.assertEqual(service.rows("contested"), rows)

    def test_a_database_that_is_held_keeps_the_upload(self):
        feed, rows = people(10)
        with Service(databaseSeconds=0.1) as service:
            service.post(feed, Upload_ID="stays")
            with service.held():
                refused = self.problem(service.request("DELETE", "/uploads/stays"), 503)
                self.assertEqual(refused.headers["retry-after"], "1")
            self.assertEqual(service.rows("stays"), rows)
            self.assertEqual(service.request("DELETE", "/uploads/stays").status, 204)
            self.assertTrue(self.is_empty(service))

    def test_a_removal_that_is_killed_comes_to_its_end(self):
        feed, rows = people(60_000)
        with Service() as service:
            for attempt in range(4):
                name = new_name()
                self.assertEqual(service.post(feed, Upload_ID=name).status, 200)

                def delete():
                    try:
                        service.request("DELETE", f"/uploads/{name}")
                    except OSError:
                        pass
                asked = threading.Thread(target=delete)
                asked.start()
                time.sleep(attempt * 0.02)
                service.stop(9)
                asked.join()
                service.start()
                # All of it is there, or none of it soon.
                if service.offset(name) is None:
                    self.is_gone(service, name)
                else:
                    self.assertEqual(len(service.rows(name)), 60_000)
                    self.assertEqual(service.request("DELETE", f"/uploads/{name}").status, 204)
                self.assertTrue(self.is_empty(service))

    def test_a_corrected_feed_takes_the_name_of_the_one_that_failed(self):
        feed, rows = people(3000)
        with Service() as service:
            failed = service.post(feed + b'{"id":0}\n' * 20, Upload_ID="orders")
            self.assertEqual(failed.status, 422)
            for again in (service.post(feed, Upload_ID="orders"), service.patch("orders", failed.offset, b"")):
                self.assertIn("DELETE", self.problem(again, 409).json["detail"])
            self.assertEqual(service.request("DELETE", "/uploads/orders").status, 204)
            self.assertEqual(service.post(feed, Upload_ID="orders").status, 200)
            self.assertEqual(service.rows("orders"), rows)


class Kept(Removal):
    def test_what_is_complete_goes_after_its_days(self):
        feed, _ = people(10)
        with Service(keepDays=3 * SECOND) as service:
            service.post(b'{"id":0}\n' + feed, Upload_ID="whole")
            service.post(feed, Upload_ID="part", Upload_Complete="?0")
            shown = service.request("GET", "/uploads/whole").json
            self.assertLess(shown["changed"], shown["expires"])
            self.assertNotIn("expires", service.request("GET", "/uploads/part").json)
            self.assertTrue(eventually(lambda: service.offset("whole") is None))
            self.is_gone(service, "whole")
            self.assertEqual(service.query("SELECT count(*) FROM rejects"), [(0,)])
            self.assertRegex(service.logged(), r"info .*tenant=acme.* upload=whole.* kept long enough")
            # It is another one now: the name is free.
            self.assertEqual(service.post(feed, Upload_ID="whole").json["mapped"], 10)
            self.assertEqual(len(service.rows("part")), 10)

    def test_what_is_not_complete_goes_after_its_own_days(self):
        feed, rows = people(10)
        with Service(keepUnfinishedDays=3 * SECOND) as service:
            service.post(feed, Upload_ID="whole")
            service.post(feed, Upload_ID="part", Upload_Complete="?0")
            limit = service.request("HEAD", "/uploads/part").headers["upload-limit"]
            self.assertRegex(limit, r"^max-size=\d+, max-age=[0-3]$")
            self.assertNotIn("max-age", service.request("HEAD", "/uploads/whole").headers["upload-limit"])
            self.assertTrue(eventually(lambda: service.offset("part") is None))
            self.is_gone(service, "part")
            self.problem(service.patch("part", len(feed), b""), 404)
            self.assertEqual(service.rows("whole"), rows)

    def test_an_upload_that_is_written_to_stays(self):
        feed, rows = people(100)
        lines = feed.splitlines(keepends=True)
        with Service(keepUnfinishedDays=2 * SECOND) as service, service.begun("slow", len(feed), lines[0]) as plug:
            for line in lines[1:]:
                plug.sendall(line)
                time.sleep(0.06)
            self.assertEqual(answer(plug).status, 200)
            self.assertEqual(service.rows("slow"), rows)

    def test_nothing_goes_by_default(self):
        feed, rows = people(10)
        with Service() as service:
            service.post(feed, Upload_ID="old")
            service.post(feed, Upload_ID="begun", Upload_Complete="?0")
            service.stop()
            service.change("UPDATE uploads SET changed = '1999-01-01 00:00:00'")
            service.start()
            time.sleep(2)
            self.assertEqual((service.rows("old"), service.rows("begun")), (rows, rows))

    def test_a_database_that_is_held_is_no_end_of_it(self):
        feed, _ = people(10)
        with Service(keepDays=2 * SECOND, databaseSeconds=0.1) as service:
            service.post(feed, Upload_ID="later")
            with service.held():
                self.assertTrue(eventually(lambda: "are not removed: the database is busy" in service.logged()))
                self.assertEqual(service.request("GET", "/uploads/later").status, 200)
            self.assertTrue(eventually(lambda: service.offset("later") is None))
            self.is_gone(service, "later")


class Lists(Removal):
    @classmethod
    def setUpClass(cls):
        cls.service = Service()

    @classmethod
    def tearDownClass(cls):
        cls.service.__exit__()

    def pages(self, address, member):
        """All that a list has, page by page."""
        found = []
        while address:
            page = self.service.request("GET", address).json
            self.assertLessEqual(len(page[member]), 100)
            found += page[member]
            address = page.get("next")
        return found

    def test_uploads_are_listed_to_their_tenant_alone(self):
        feed, _ = people(3)
        names = [f"listed-{number}" for number in range(230)]
        for name in names:
            self.service.post(feed, Upload_ID=name, Upload_Complete="?0" if name.endswith("9") else "?1")
        self.service.post(b"[1", Upload_ID="refused")
        self.problem(self.service.request("GET", "/uploads", token=None), 401)
        self.assertEqual(self.service.request("GET", "/uploads", token="other-token").json, {"uploads": []})
        own = [upload for upload in self.pages("/uploads", "uploads") if upload["id"] in names]
        self.assertEqual([upload["id"] for upload in own], names[::-1])
        for upload in own:
            self.assertEqual((upload["complete"], upload["records"], upload["mapping"]), (not upload["id"].endswith("9"), 3, "acme/people"))
        for wrong in ("x", "-1", "1.5", "99999999999999999999"):
            self.problem(self.service.request("GET", f"/uploads?before={wrong}"), 400)
        self.service.request("DELETE", "/uploads/listed-229")
        self.assertNotIn("listed-229", [upload["id"] for upload in self.service.request("GET", "/uploads").json["uploads"]])

    def test_rejects_are_listed_in_their_order(self):
        self.service.map("acme/many", PEOPLE.replace("max: 10", "max: 1000"))
        good, _ = people(400)
        bad = b"".join(b'{"id":"one","name":"Bo","age":"old"}\n' if number % 2 else b'{"name":"Bo"}\n' for number in range(250))
        self.assertTrue(eventually(lambda: self.service.post(good + bad, "acme/many", Upload_ID="many").status == 200))
        found = self.pages("/uploads/many/rejects", "rejects")
        self.assertEqual([reject["record"] for reject in found], list(range(401, 651)))
        self.assertEqual([error["path"] for error in found[1]["errors"]], ["$.id", "$.age"])
        self.assertEqual([(error["line"], error["code"]) for error in found[1]["errors"]], [(402, "wrongType")] * 2)
        start, end = (found[1]["errors"][0][name] for name in ("offset", "end"))
        self.assertEqual((good + bad)[start:end], b'"one"')
        self.problem(self.service.request("GET", "/uploads/many/rejects", token="other-token"), 404)
        self.problem(self.service.request("GET", "/uploads/many/rejects?after=x"), 400)
        self.service.post(good, Upload_ID="clean")
        self.assertEqual(self.service.request("GET", "/uploads/clean/rejects").json, {"rejects": []})


if __name__ == "__main__":
    unittest.main()
