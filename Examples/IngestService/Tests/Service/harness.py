"""Starts the service in a folder of its own, and talks to it."""
import concurrent.futures
import contextlib
import gzip
import hashlib
import http.client
import itertools
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time

import postgres
from description import check

NUMBERS = itertools.count(1)
IN_POSTGRES = os.environ.get("INGEST_DATABASE") == "postgres"
PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOKEN = "a-token"
PEOPLE = """
streammap: 1
name: people
record:
  id: { from: id, type: int64 }
  name: name
  age: { from: age, type: int32 }
errors: { mode: skip, max: 10 }
"""
CATALOG = """
streammap: 1
name: catalog
input: { records: "$.catalog.items[*]" }
record: { sku: { from: sku, type: int64 }, price: { from: price, type: decimal } }
errors: { mode: skip, max: 10 }
"""
ARRAY = PEOPLE.replace("record:", "input: { records: \"$[*]\" }\nrecord:", 1)


def program():
    """The service's program: the one that INGEST_SERVICE names, or the debug build."""
    return os.environ.get("INGEST_SERVICE") or os.path.join(PACKAGE, ".build", "debug", "IngestService")


def hashed(token):
    """A token as the settings keep it."""
    return "sha256:" + hashlib.sha256(token.encode()).hexdigest()


def new_name():
    """The name of an upload that no other one has."""
    return f"upload-{next(NUMBERS)}"


def people(count, first=1, pad=0):
    """A feed of lines, and the rows that it becomes."""
    rows = [{"id": n, "name": f"Ünsal {n}", "age": n % 90} for n in range(first, first + count)]
    note = "x" * pad
    feed = "".join(json.dumps(dict(row, note=note, more={"a": [1, 2, {"b": None}]}), ensure_ascii=False) + "\n" for row in rows)
    return feed.encode(), rows


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.body = response.read()

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def offset(self):
        return int(self.headers["upload-offset"])


class Service:
    """A running service. Settings may be changed by name; `tenant` changes those of the tenant.

    With `disk`, its database is on a disk of its own, of so many bytes. With INGEST_DATABASE=postgres in the environment, or with
    `in_postgres`, its database is one of PostgreSQL, unless it has a disk.
    """

    def __init__(self, tenant=None, folder=None, disk=None, in_postgres=False, **settings):
        self.disk = disk
        self.in_postgres = (in_postgres or IN_POSTGRES) and not disk and "database" not in settings
        self.folder = folder or tempfile.mkdtemp(prefix="ingest-")
        self.keeps = folder is not None
        os.makedirs(os.path.join(self.folder, "mappings", "acme"), exist_ok=True)
        self.map("acme/people", PEOPLE)
        self.map("acme/catalog", CATALOG)
        self.map("acme/array", ARRAY)
        self.map("other/people", PEOPLE)
        one = {"name": "acme", "tokens": [hashed(TOKEN)], "mappings": ["acme/"], "feeds": 100, "maximumBytes": 1 << 33,
               "maximumRecords": 10**9, "maximumSeconds": 600, "maximumExpansion": 100}
        one.update(tenant or {})
        two = dict(one, name="other", tokens=[hashed("other-token")], mappings=["other/"])
        self.settings = {"host": "127.0.0.1", "port": 0, "mappings": self.path("mappings"), "database": self.path("ingest.sqlite"),
                         "databaseSeconds": 5, "keepDays": 0, "keepUnfinishedDays": 0, "page": True, "logLevel": "info", "logFormat": "text", "traces": "",
                         "connections": 1000,
                         "idleSeconds": 120, "feeds": 200, "graceSeconds": 2, "minimumPace": 1, "paceSeconds": 60,
                         "mappingThreads": int(os.environ.get("INGEST_THREADS", "0")), "tenants": [one, two]}
        self.settings.update(settings)
        if self.in_postgres:
            self.settings["database"] = postgres.server().make(self.database_name)
        if disk:
            os.makedirs(self.path("disk"))
            self.settings["database"] = self.path("disk/ingest.sqlite")
        with open(self.path("settings.json"), "w") as file:
            json.dump(self.settings, file)
        self.start()

    def path(self, name):
        return os.path.join(self.folder, name)

    @property
    def database_name(self):
        """The name of its database in PostgreSQL: the same, if a service is started again in its folder."""
        return os.path.basename(self.folder)

    def map(self, name, text):
        path = self.path(f"mappings/{name}.map.yaml")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        # Swapped as a whole, as an operator should do it.
        with open(path + ".new", "w") as file:
            file.write(text)
        os.replace(path + ".new", path)

    def start(self):
        self.log = open(self.path("log"), "ab")
        before = self.log.tell()
        command = [program(), self.path("settings.json")]
        if self.disk:
            # The disk is there for the service alone.
            mount = f'mount -t tmpfs -o size={self.disk} tmpfs "$0" && exec "$@"'
            command = ["unshare", "--map-root-user", "--mount", "sh", "-c", mount, self.path("disk"), *command]
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log, cwd=self.folder)
        for _ in range(600):
            found = re.search(r"port(?:=|\":\")(\d+)", self.logged(before))
            if found:
                self.port = int(found[1])
                return
            if self.process.poll() is not None:
                raise AssertionError(f"the service ended at once:\n{self.logged()}")
            time.sleep(0.05)
        raise AssertionError("the service does not listen")

    def logged(self, start=0):
        with open(self.path("log"), errors="replace") as file:
            file.seek(start)
            return file.read()

    def stop(self, number=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(number)
        status = self.process.wait(60)
        self.log.close()
        return status

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop(signal.SIGKILL)
        if not self.keeps:
            shutil.rmtree(self.folder, ignore_errors=True)
            if self.in_postgres:
                postgres.server().drop(self.database_name)

    # Requests

    def request(self, method, path, body=None, headers=None, token=TOKEN, timeout=60):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        fields = dict(headers or {})
        if token:
            fields["Authorization"] = f"Bearer {token}"
        try:
            connection.request(method, path, body, fields, encode_chunked=isinstance(body, list))
            return check(method, path, Answer(connection.getresponse()))
        finally:
            connection.close()

    def post(self, body, mapping="acme/people", **headers):
        """Sends a feed, as an upload with a name of its own unless one is given."""
        token = headers.pop("token", TOKEN)
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        fields.setdefault("Upload-ID", new_name())
        return self.request("POST", f"/ingest/{mapping}", body, fields, token)

    def feeds(self):
        """The feeds of the tenant that are running."""
        return self.request("GET", "/feeds").json

    def patch(self, name, offset, body, complete=True, headers=None):
        fields = {"Upload-Offset": str(offset), "Upload-Complete": "?1" if complete else "?0",
                  "Content-Type": "application/partial-upload"}
        return self.request("PATCH", f"/uploads/{name}", body, dict(fields, **(headers or {})))

    def offset(self, name):
        """Where the upload continues; nil if there is none yet."""
        answer = self.request("HEAD", f"/uploads/{name}")
        return answer.offset if answer.status == 204 else None

    @contextlib.contextmanager
    def begun(self, name, length, body=b"", mapping="acme/people"):
        """A request whose body is only begun."""
        plug = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        plug.sendall((f"POST /ingest/{mapping} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {TOKEN}\r\nUpload-ID: {name}\r\n"
                      f"Content-Length: {length}\r\n\r\n").encode() + body)
        try:
            yield plug
        finally:
            plug.close()

    # The database

    def seen_by_it(self, path):
        """A path in the service's own tree of files."""
        return f"/proc/{self.process.pid}/root{path}" if self.disk else path

    @contextlib.contextmanager
    def database(self):
        if self.in_postgres:
            with contextlib.closing(postgres.server().connect(self.database_name)) as database:
                yield database
            return
        path = self.settings["database"]
        if self.disk:
            # SQLite itself would look for it on the disk of the tests.
            seen, path = self.seen_by_it(path), self.path("copy.sqlite")
            for end in ("", "-wal"):
                shutil.copyfile(seen + end, path + end)
        with contextlib.closing(sqlite3.connect(path, timeout=30)) as database:
            yield database

    def query(self, sql, *arguments):
        """What is in the database; on a disk of its own, while the service writes nothing."""
        with self.database() as database:
            if self.in_postgres:
                sql, arguments = sql.replace("?", "%s"), arguments or None
            return database.execute(sql, arguments).fetchall()

    def change(self, sql):
        with self.database() as database:
            database.execute(sql)
            database.commit()

    @contextlib.contextmanager
    def held(self):
        """Another program holds what a writer needs; who reads does not wait."""
        with self.database() as database:
            if self.in_postgres:
                database.execute("LOCK TABLE uploads, readiness IN EXCLUSIVE MODE")
            else:
                database.isolation_level = None
                database.execute("BEGIN IMMEDIATE")
            yield
            database.rollback()

    def rows(self, name):
        found = self.query("SELECT json FROM records JOIN uploads ON upload = id WHERE name = ? ORDER BY number", name)
        return [json.loads(text) for text, in found]

    def rejects(self, name):
        return self.query('SELECT record, line, "column", start, "end", code, path, message FROM rejects JOIN uploads ON upload = id '
                          "WHERE name = ? ORDER BY record, start", name)


def answer(plug, method="POST", path="/ingest/acme/people"):
    """The answer that comes over a plain connection."""
    response = http.client.HTTPResponse(plug)
    response.begin()
    return check(method, path, Answer(response))


def eventually(condition, seconds=10):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def in_threads(count, work):
    """Does the work in so many threads at once; what one of them raises is raised."""
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        for done in [pool.submit(work, n) for n in range(count)]:
            done.result()


def compressed(data):
    return gzip.compress(data, 6)
