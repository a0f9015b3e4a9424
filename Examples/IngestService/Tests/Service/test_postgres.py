"""The store in PostgreSQL: what only a server, and several services over one database, can do.

What holds for both stores is in the other tests, which scripts/test also runs with INGEST_DATABASE=postgres.
"""
import json
import os
import select
import subprocess
import tempfile
import threading
import time
import unittest

import postgres
from harness import TOKEN, Service, answer, compressed, eventually, in_threads, people, program
from test_refusals import Case


@unittest.skipIf(postgres.missing(), postgres.missing())
class InPostgres(Case):
    @classmethod
    def setUpClass(cls):
        cls.server = postgres.server()


class TheServer(InPostgres):
    def test_a_server_that_is_killed_loses_nothing(self):
        feed, rows = people(60_000)
        half = feed.index(b"\n", len(feed) // 2) + 1
        with Service(in_postgres=True, databaseSeconds=1) as service:
            with service.begun("cut", len(feed), feed[:half]) as plug:
                self.assertTrue(eventually(lambda: (service.offset("cut") or 0) > 0))
                self.server.stop()
                try:
                    plug.sendall(feed[half:])
                    refused = self.problem(answer(plug), 503)
                    self.assertEqual(refused.headers["retry-after"], "10")
                    self.assertEqual(refused.headers["upload-id"], "cut")
                    self.problem(service.request("GET", "/health/ready", token=None), 503)
                    self.problem(service.request("GET", "/uploads/cut"), 503)
                    self.problem(service.post(feed, Upload_ID="new"), 503)
                finally:
                    self.server.start()
            self.assertRegex(service.logged(), r" error .*PostgreSQL.*upload=cut")
            self.assertEqual(service.request("GET", "/health/ready", token=None).status, 204)
            offset = service.offset("cut")
            self.assertEqual(service.rows("cut"), rows[:len(service.rows("cut"))])
            self.assertEqual(service.patch("cut", offset, feed[offset:]).status, 200)
            self.assertEqual(service.post(feed, Upload_ID="new").status, 200)
            self.assertEqual((service.rows("cut"), service.rows("new")), (rows, rows))

    def test_a_short_restart_of_the_server_is_no_error(self):
        feed, rows = people(60_000)
        half = feed.index(b"\n", len(feed) // 2) + 1
        with Service(in_postgres=True, databaseSeconds=30) as service:
            with service.begun("waits", len(feed), feed[:half]) as plug:
                self.assertTrue(eventually(lambda: (service.offset("waits") or 0) > 0))
                self.server.stop()
                sent = threading.Thread(target=plug.sendall, args=(feed[half:],))
                sent.start()
                time.sleep(0.5)
                self.server.start()
                sent.join()
                self.assertEqual(answer(plug).status, 200)
            self.assertEqual(service.rows("waits"), rows)
            self.assertNotIn(" error ", service.logged())

    def test_a_server_that_is_killed_again_and_again(self):
        feed, rows = people(20_000)
        with Service(in_postgres=True, databaseSeconds=0.2) as service:
            is_over = threading.Event()

            def kill():
                while not is_over.wait(0.6):
                    self.server.stop()
                    self.server.start()

            def send(number):
                name, sent = f"again-{number}", 0
                while True:
                    found = service.request("HEAD", f"/uploads/{name}")
                    if found.status == 404:
                        sent = service.post(feed, Upload_ID=name).status
                    elif found.status == 204 and found.headers["upload-complete"] == "?1":
                        return
                    elif found.status == 204:
                        sent = service.patch(name, found.offset, feed[found.offset:]).status
                    self.assertIn(sent, (0, 200, 409, 503))

            killer = threading.Thread(target=kill)
            killer.start()
            try:
                in_threads(4, send)
            finally:
                is_over.set()
                killer.join()
            for number in range(4):
                self.assertEqual(service.rows(f"again-{number}"), rows)

    def test_a_server_that_says_nothing_holds_nobody_up_for_ever(self):
        feed, rows = people(100)
        with Service(in_postgres=True, databaseSeconds=0.5) as service:
            service.post(feed)
            started = time.monotonic()
            with self.server.silent():
                self.problem(service.post(feed, Upload_ID="held"), 503)
            self.assertLess(time.monotonic() - started, 40)
            self.assertTrue(eventually(lambda: service.request("GET", "/health/ready", token=None).status == 204, 30))
            self.assertEqual(service.post(feed, Upload_ID="held").status, 200)
            self.assertEqual(service.rows("held"), rows)

    def test_a_full_disk_loses_nothing(self):
        feed, rows = people(60_000)
        half = feed.index(b"\n", len(feed) // 2) + 1
        disk = os.path.join(self.server.folder, "disk")
        os.makedirs(disk)
        if os.getuid() or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", disk], capture_output=True).returncode:
            self.skipTest("no disk can be mounted here")
        self.addCleanup(subprocess.run, ["umount", disk])
        subprocess.run(["chown", "postgres", disk], check=True)
        self.server.administer(f"CREATE TABLESPACE small LOCATION '{disk}'")
        address = self.server.make("small", "TABLESPACE small")
        self.addCleanup(self.server.administer, "DROP TABLESPACE small")
        self.addCleanup(self.server.drop, "small")
        with Service(database=address) as service:
            self.assertEqual(service.post(feed[:half], Upload_ID="begun", Upload_Complete="?0").status, 204)
            free = os.statvfs(disk)
            other = os.path.join(disk, "other")
            with open(other, "wb") as file:
                file.write(b"x" * (free.f_bavail * free.f_frsize - (1 << 20)))
            refused = self.problem(service.patch("begun", half, feed[half:] + feed), 507)
            self.assertEqual(refused.headers["retry-after"], "10")
            offset = self.says_where(service, refused, "begun")
            self.assertGreaterEqual(offset, half)
            os.remove(other)
            self.assertEqual(service.patch("begun", offset, (feed + feed)[offset:]).status, 200)
            self.assertEqual(service.request("GET", "/uploads/begun").json["mapped"], 2 * len(rows))

    def test_texts_are_stored_as_they_are(self):
        odd = ["tab\there", "line\nline", "back\\slash\\N", "return\r", "", "\\.", "quote'\"", "\x7f\u2028ü𝄞", "\\x41\\101"]
        feed = "".join(json.dumps({"id": n, "name": text, "age": 1}) + "\n" for n, text in enumerate(odd)).encode()
        with Service(in_postgres=True) as service:
            self.assertEqual(service.post(feed, Upload_ID="odd").status, 200)
            self.assertEqual([row["name"] for row in service.rows("odd")], odd)
            # PostgreSQL has no U+0000. In a record it is escaped; in a key or a name it is another character.
            wrong = b'{"id":1,"name":"a\\u0000b","age":1}\n{"id":"x","name":"B","a\\u0000ge":1}\n'
            self.assertEqual(service.post(wrong, Upload_ID="zero").status, 200)
            self.assertEqual(service.rows("zero")[0]["name"], "a\0b")
            self.problem(service.request("GET", "/uploads/a%00b"), 404)


class Together(InPostgres):
    """Two services over one database."""

    def setUp(self):
        self.one = Service(in_postgres=True)
        self.addCleanup(self.one.__exit__)
        self.two = Service(database=self.one.settings["database"])
        self.addCleanup(self.two.__exit__)

    def test_an_upload_continues_at_another_service(self):
        feed, rows = people(60_000)
        half = feed.index(b"\n", len(feed) // 2) + 1
        self.assertEqual(self.one.post(feed[:half], Upload_ID="moves", Upload_Complete="?0").status, 204)
        self.assertEqual(self.two.patch("moves", half, feed[half:]).status, 200)
        self.assertEqual(self.one.rows("moves"), rows)
        self.assertEqual(self.one.post(feed, Upload_ID="moves").json["verdict"], "complete")

    def test_a_request_whose_client_is_gone_stores_nothing_any_more(self):
        feed, rows = people(60_000)
        with self.one.begun("left", len(feed), feed[:len(feed) // 2]) as plug:
            self.assertTrue(eventually(lambda: (self.one.offset("left") or 0) > 0))
            # The first service still reads; the second one has the upload from now on.
            self.take_over("left", feed)
            self.problem(self.finish(plug, feed[len(feed) // 2:]), 409)
        self.assertEqual(self.one.rows("left"), rows)

    def test_a_damaged_archive_takes_nothing_back_that_another_service_stored(self):
        feed, rows = people(60_000)
        packed = bytearray(compressed(feed))
        packed[-8] ^= 1
        with self.one.begun("damaged", len(packed), bytes(packed[:-100])) as plug:
            self.assertTrue(eventually(lambda: (self.one.offset("damaged") or 0) > 0))
            self.take_over("damaged", feed)
            self.assertIn(self.finish(plug, bytes(packed[-100:])).status, (400, 409))
        self.assertEqual(self.one.rows("damaged"), rows)

    def take_over(self, name, feed):
        """Continues an upload at the second service. While the first one still stores batches, it is told that the offset is another one."""
        def is_taken():
            offset = self.two.offset(name)
            return self.two.patch(name, offset, feed[offset:]).status == 200
        self.assertTrue(eventually(is_taken, 60))

    def finish(self, plug, rest):
        """Sends the rest, unless the answer is there already: such a connection is closed soon."""
        if not select.select([plug], [], [], 1)[0]:
            plug.sendall(rest)
        return answer(plug)

    def test_one_name_at_both_services_at_once(self):
        feed, rows = people(3000)
        statuses = []

        def send(number):
            for turn in range(10):
                statuses.append((self.one, self.two)[number % 2].post(feed, Upload_ID=f"both-{turn}").status)
        in_threads(6, send)
        self.assertLessEqual(set(statuses), {200, 409})
        for turn in range(10):
            # Where each was told that another one writes, it asks again.
            self.assertIn(self.one.post(feed, Upload_ID=f"both-{turn}").status, (200, 409))
            offset = self.one.offset(f"both-{turn}")
            if offset < len(feed):
                self.assertEqual(self.one.patch(f"both-{turn}", offset, feed[offset:]).status, 200)
            self.assertEqual(self.one.rows(f"both-{turn}"), rows)

    def test_what_one_service_deletes_ends_at_the_other(self):
        feed, _ = people(60_000)
        with self.one.begun("gone", len(feed), feed[:len(feed) // 2]) as plug:
            self.assertTrue(eventually(lambda: (self.one.offset("gone") or 0) > 0))
            self.assertEqual(self.two.request("DELETE", "/uploads/gone").status, 204)
            plug.sendall(feed[len(feed) // 2:])
            self.problem(answer(plug), 410)
        for table in ("uploads", "records", "rejects"):
            self.assertEqual(self.one.query(f"SELECT count(*) FROM {table}"), [(0,)])

    def test_a_rolling_restart(self):
        feed, rows = people(20_000)
        is_over = threading.Event()

        def send(number):
            """A client behind a proxy: whichever service is there answers."""
            for turn in range(6):
                name = f"rolling-{number}-{turn}"
                while True:
                    try:
                        service = (self.one, self.two)[time.monotonic_ns() % 2]
                        offset = service.offset(name)
                        if offset == len(feed):
                            break
                        sent = service.patch(name, offset, feed[offset:]) if offset is not None else service.post(feed, Upload_ID=name)
                        self.assertIn(sent.status, (200, 409, 503))
                    except (OSError, ValueError):
                        time.sleep(0.02)

        def restart():
            while not is_over.is_set():
                for service in (self.one, self.two):
                    time.sleep(0.3)
                    self.assertEqual(service.stop(), 0)
                    service.start()
        restarts = threading.Thread(target=restart)
        restarts.start()
        try:
            in_threads(4, send)
        finally:
            is_over.set()
            restarts.join()
        for number in range(4):
            for turn in range(6):
                self.assertEqual(self.one.rows(f"rolling-{number}-{turn}"), rows)

    def test_services_that_start_at_once_make_the_tables_once(self):
        address = self.server.make("started-at-once")
        self.addCleanup(self.server.drop, "started-at-once")
        services = []
        in_threads(4, lambda _: services.append(Service(database=address)))
        for service in services:
            self.addCleanup(service.__exit__)
            self.assertEqual(service.request("GET", "/health/ready", token=None).status, 204)


class Addresses(InPostgres):
    def ends(self, address, **environment):
        service = Service(in_postgres=True)
        self.addCleanup(service.__exit__)
        service.stop()
        with open(service.path("settings.json"), "w") as file:
            json.dump(dict(service.settings, database=address, databaseSeconds=0.1), file)
        done = subprocess.run([program(), service.path("settings.json")], cwd=service.folder, capture_output=True, text=True, timeout=60,
                              env={**os.environ, **environment})
        return done.returncode, done.stderr

    def test_an_address_with_a_password_is_refused_and_not_shown(self):
        for address in ("postgres://me:s3cret@/ingest", "postgresql:///ingest?password=s3cret", "postgres://[s3cret", "postgres:s3cret",
                        "POSTGRES://me:s3cret@/ingest", "postgres://me:s3cret@host:port/ingest"):
            status, text = self.ends(address)
            self.assertEqual((status, "$.database: " in text, "s3cret" in text), (2, True, False), text)
            status, text = self.ends("ingest.sqlite", INGEST_SETTING_DATABASE=address)
            self.assertEqual((status, "INGEST_SETTING_DATABASE: " in text, "s3cret" in text), (2, True, False), text)

    def test_a_server_that_is_not_there_ends_the_service(self):
        status, text = self.ends("postgres://me@/ingest?host=/none")
        self.assertEqual((status, "cannot open the database postgres://me@/ingest?host=/none: PostgreSQL: " in text), (1, True), text)
        status, text = self.ends(self.server.address("none"))
        self.assertEqual((status, 'database "none" does not exist' in text), (1, True), text)

    def test_a_database_that_is_not_utf8_is_refused(self):
        address = self.server.make("latin", "TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'")
        self.addCleanup(self.server.drop, "latin")
        status, text = self.ends(address)
        self.assertEqual((status, "its encoding is not UTF8" in text), (1, True), text)

    def test_the_password_comes_from_the_environment_or_from_a_file(self):
        self.server.administer("CREATE ROLE guarded LOGIN PASSWORD 's3cret'", "CREATE DATABASE guarded OWNER guarded")
        self.addCleanup(self.server.administer, "DROP DATABASE guarded WITH (FORCE)", "DROP ROLE guarded")
        address = self.server.address("guarded", "guarded")
        for password in ("wr0ng", ""):
            status, text = self.ends(address, PGPASSWORD=password)
            self.assertEqual((status, "password" in text, "wr0ng" in text), (1, True, False), text)
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("*:*:*:*:s3cret\n")
            file.flush()
            for where, environment in ((address, {"PGPASSWORD": "s3cret"}), (address, {"PGPASSFILE": file.name}),
                                       (f"{address}&passfile={file.name}", {})):
                before = {name: os.environ.get(name) for name in environment}
                os.environ.update(environment)
                try:
                    with Service(database=where) as service:
                        self.assertEqual(service.post(people(3)[0], token=TOKEN).status, 200)
                        self.assertNotIn("s3cret", service.logged())
                finally:
                    for name, value in before.items():
                        os.environ.pop(name) if value is None else os.environ.update({name: value})


if __name__ == "__main__":
    unittest.main()
