"""What the operator meets: settings with mistakes, the log, connections that stay, what deploys it, and the quickstart."""
import contextlib
import http.client
import http.server
import importlib.util
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import unittest

from harness import PACKAGE, TOKEN, Answer, Service, answer, eventually, hashed, people, program


class Settings(unittest.TestCase):
    def setUp(self):
        service = Service()
        self.addCleanup(shutil.rmtree, service.folder)
        service.stop()
        self.service, self.settings = service, service.settings

    def ends(self, text, **environment):
        """Starts the service with these settings: its status and what it says."""
        path = self.service.path("settings.json")
        with open(path, "w") as file:
            file.write(text if isinstance(text, str) else json.dumps(text, indent=1))
        done = subprocess.run([program(), path], cwd=self.service.folder, capture_output=True, text=True, timeout=30,
                              env={**os.environ, **environment})
        self.assertNotIn("Fatal error", done.stderr)
        return done.returncode, done.stderr

    def changed(self, **changes):
        return {**self.settings, **changes}

    def test_a_mistake_has_its_line_and_the_status_2(self):
        tenant = self.settings["tenants"][0]
        without = {name: value for name, value in self.settings.items() if name != "port"}
        cases = [
            ("", "settings.json"), ("{", "settings.json:1:2"), (without, "port"), (self.changed(port="8080"), "$.port"),
            (self.changed(port=70_000), "from 0 to 65535"), (self.changed(prot=1), "prot"), (self.changed(feeds=0), "$.feeds"),
            (self.changed(paceSeconds=1e300), "$.paceSeconds"), (self.changed(graceSeconds=-1), "$.graceSeconds"),
            (self.changed(keepDays=-1), "$.keepDays"), (self.changed(keepUnfinishedDays=None), "$.keepUnfinishedDays"),
            (self.changed(idleSeconds=60, paceSeconds=60), "idleSeconds above"),
            (self.changed(idleSeconds=60, paceSeconds=1, databaseSeconds=60), "idleSeconds above"), (self.changed(logLevel="loud"), "$.logLevel"),
            (self.changed(traces="localhost"), "$.traces"), (self.changed(traces="ftp://a"), "$.traces"), (self.changed(traces="http://"), "$.traces"),
            (self.changed(tenants=[]), "$.tenants"), (self.changed(tenants=[dict(tenant, tokens=[])]), "$.tenants[0].tokens"),
            (self.changed(tenants=[dict(tenant, tokens=[TOKEN])]), "$.tenants[0].tokens[0]: expected the hash of a token"),
            (self.changed(tenants=[tenant, dict(tenant, name="two")]), "listed once"),
            (self.changed(tenants=[tenant, dict(tenant, tokens=[hashed("two")])]), "a name of their own"),
            (self.changed(tenants=[dict(tenant, maximumExpansion=0)]), "$.tenants[0].maximumExpansion")]
        for settings, said in cases:
            status, text = self.ends(settings)
            self.assertEqual((status, said in text), (2, True), text)
        # All mistakes at once, each in a line with its place.
        status, text = self.ends(self.changed(port=-1, feeds="many"))
        self.assertEqual(len(re.findall(r"(?m)^(?:IngestService: )?\S+settings\.json:\d+:\d+: \$\.", text)), 2, text)
        status, text = self.ends(self.settings, INGEST_SETTING_PORT="many", INGEST_SETTING_PROT="1")
        self.assertEqual((status, len(re.findall(r"(?m)^(?:IngestService: )?INGEST_SETTING_(?:PORT|PROT): ", text))), (2, 2), text)
        os.remove(self.service.path("settings.json"))
        missing = subprocess.run([program(), self.service.path("settings.json")], capture_output=True, text=True)
        self.assertEqual((missing.returncode, "cannot be read" in missing.stderr), (2, True), missing.stderr)

    def test_what_is_in_the_way_has_a_message_and_the_status_1(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            cases = [(self.changed(port=port), f"cannot listen on 127.0.0.1:{port}"), (self.changed(mappings="/none"), "/none"),
                     (self.changed(database="/none/a.sqlite"), "cannot open the database /none/a.sqlite"),
                     (self.changed(database=self.service.path("settings.json")), "cannot open the database")]
            for settings, said in cases:
                status, text = self.ends(settings)
                self.assertEqual((status, said in text), (1, True), text)


class Tokens(unittest.TestCase):
    def test_a_new_token_takes_the_place_of_an_old_one(self):
        made = subprocess.run([program(), "token"], capture_output=True, text=True, timeout=30, check=True).stdout
        token, kept = re.fullmatch(r"token: (\w{64})\nsettings: (\S+)\n", made).groups()
        self.assertEqual(kept, hashed(token))
        feed, _ = people(10)
        with Service(tenant={"tokens": [hashed(TOKEN), kept]}) as service:
            for own in (TOKEN, token):
                self.assertEqual(service.post(feed, token=own).status, 200)
            # What the settings keep is no token.
            self.assertEqual(service.post(feed, token=kept).status, 401)


class Reload(unittest.TestCase):
    """The tenants are read again on SIGHUP."""

    def write(self, service, **changes):
        with open(service.path("settings.json"), "w") as file:
            json.dump({**service.settings, **changes}, file)

    def reload(self, service, said):
        start = len(service.logged())
        service.process.send_signal(signal.SIGHUP)
        self.assertTrue(eventually(lambda: said in service.logged(start)), service.logged(start))

    def test_tokens_change_without_a_restart(self):
        feed, rows = people(60_000)
        with Service() as service:
            tenant = service.settings["tenants"][0]
            with service.begun("runs", len(feed), feed[:1000]) as plug:
                self.assertTrue(eventually(service.feeds))
                # Both tokens, and then the new one alone: a client has time to change.
                self.write(service, tenants=[{**tenant, "tokens": [hashed(TOKEN), hashed("new-token")]}])
                self.reload(service, "the tenants are read again")
                for token in (TOKEN, "new-token"):
                    self.assertEqual(service.post(feed[:1000], token=token, Upload_Complete="?0").status, 204)
                self.write(service, tenants=[{**tenant, "tokens": [hashed("new-token")]}])
                self.reload(service, "the tenants are read again")
                self.assertEqual(service.post(feed, token=TOKEN).status, 401)
                self.assertEqual(service.post(feed, token="other-token", mapping="other/people").status, 401)
                # What has begun comes to its end.
                plug.sendall(feed[1000:])
                self.assertEqual(answer(plug).status, 200)
            self.assertEqual(service.rows("runs"), rows)
            self.assertNotIn("need a restart", service.logged())

    def test_settings_with_mistakes_change_nothing(self):
        feed, _ = people(3)
        with Service() as service:
            self.write(service, tenants=[], feeds=0)
            self.reload(service, "the settings are not read again")
            self.assertTrue(eventually(lambda: len(re.findall(r"error .*settings\.json:\d+:\d+: \$\.(?:tenants|feeds)", service.logged())) == 2))
            self.assertEqual(service.post(feed).status, 200)
            os.remove(service.path("settings.json"))
            self.reload(service, "cannot be read")
            self.assertEqual(service.post(feed).status, 200)

    def test_what_needs_a_restart_is_said(self):
        feed, _ = people(3)
        with Service() as service:
            self.write(service, feeds=1, tenants=service.settings["tenants"][1:])
            self.reload(service, "need a restart")
            self.assertEqual(service.post(feed).status, 401)
            self.assertEqual(service.post(feed, "other/people", token="other-token").status, 200)


class Log(unittest.TestCase):
    def test_lines_of_json(self):
        feed, _ = people(10)
        with Service(logFormat="json") as service:
            self.assertEqual(service.post(feed + b'{"id":"x"}\n', Upload_ID="json").status, 200)
            lines = [json.loads(line) for line in service.logged().splitlines()]
            rejected = next(line for line in lines if line["message"].startswith("record rejected"))
            self.assertEqual((rejected["level"], rejected["metadata"]["upload"], rejected["metadata"]["record.line"]), ("info", "json", "11"))
            self.assertRegex(rejected["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")

    def test_its_level(self):
        feed, _ = people(10)
        with Service(logLevel="debug") as service:
            service.post(feed)
            self.assertIn("feed began", service.logged())


class Connections(unittest.TestCase):
    def open_ones(self, service):
        return sum(os.readlink(link).startswith("socket:") for link in self.links(service))

    def links(self, service):
        folder = f"/proc/{service.process.pid}/fd"
        for name in os.listdir(folder):
            with contextlib.suppress(OSError):
                os.readlink(f"{folder}/{name}")
                yield f"{folder}/{name}"

    def test_half_a_header_does_not_stay(self):
        feed, rows = people(100)
        with Service(connections=20, idleSeconds=2, paceSeconds=1, databaseSeconds=1) as service, contextlib.ExitStack() as stack:
            before = self.open_ones(service)
            plugs = [stack.enter_context(socket.create_connection(("127.0.0.1", service.port), timeout=30)) for _ in range(60)]
            for plug in plugs:
                plug.sendall(b"POST /ingest/acme/people HTTP/1.1\r\nHost: a\r\nAuthor")
            self.assertTrue(eventually(lambda: self.open_ones(service) > before))
            self.assertLessEqual(self.open_ones(service), before + 20)
            # Those that wait have their turn when the idle ones are gone.
            self.assertEqual(service.post(feed, Upload_ID="turn").status, 200)
            self.assertEqual(service.rows("turn"), rows)
            for plug in plugs:
                self.assertEqual(plug.recv(1), b"")
            self.assertTrue(eventually(lambda: self.open_ones(service) <= before + 1))

    def test_bytes_one_by_one_do_not_keep_a_header_open(self):
        with Service(idleSeconds=2, paceSeconds=1, databaseSeconds=1) as service:
            with socket.create_connection(("127.0.0.1", service.port), timeout=0.2) as plug:
                started = time.monotonic()
                plug.sendall(b"GET / HTTP/1.1\r\nHost: ")
                with self.assertRaises((ConnectionResetError, BrokenPipeError)):
                    while time.monotonic() - started < 10:
                        plug.sendall(b"a")
                        with contextlib.suppress(TimeoutError):
                            if plug.recv(1) == b"":
                                raise ConnectionResetError


class Deployed(unittest.TestCase):
    def read(self, name):
        with open(os.path.join(PACKAGE, "deploy", name)) as file:
            return file.read()

    def test_the_image_has_what_the_program_loads(self):
        with open("/etc/os-release") as file:
            if "VERSION_CODENAME=bookworm" not in file.read():
                self.skipTest("this is not the Debian of the image")
        loaded = subprocess.run(["ldd", program()], capture_output=True, text=True, check=True).stdout
        named = subprocess.run(["readelf", "-d", program()], capture_output=True, text=True, check=True).stdout
        # What these need themselves, their packages bring along.
        needed = re.findall(r"\(NEEDED\).*\[(.*)\]", named)
        libraries = {os.path.realpath(path) for name, path in re.findall(r"(\S+) => (/\S+)", loaded) if name in needed}
        self.assertTrue(any("libpq" in library for library in libraries), libraries)
        image = self.read("Dockerfile")
        for library in sorted(libraries):
            owner = subprocess.run(["dpkg", "-S", library], capture_output=True, text=True).stdout.split(":")[0]
            # Swift's own are in the program there.
            if owner and owner != "libc6":
                self.assertIn(f" {owner} ", image, library)

    def test_the_description_has_each_address_and_status(self):
        with open(os.path.join(PACKAGE, "Sources", "IngestService", "Routes.swift")) as file:
            routes = re.findall(r'router\.(\w+)\(\s*"([^"]*)"', file.read())
        # The files of the page describe themselves.
        routes = {(method, "/" + path.replace("**", "{mapping}")) for method, path in routes if path not in ("", "page.css", "page.js", "feeds.js")}
        described, path = set(), None
        for line in self.read("openapi.yaml").splitlines():
            if found := re.match(r"  (/\S+):$", line):
                path = found[1]
            elif found := re.match(r"    (get|head|post|patch|delete):$", line):
                described.add((found[1], path))
        self.assertEqual(described, routes)
        with open(os.path.join(PACKAGE, "README.md")) as file:
            table = re.findall(r"(?m)^\| ((?:\d{3}(?:, )?)+) \|", file.read())
        for status in ", ".join(table).split(", "):
            self.assertIn(f'"{status}":', self.read("openapi.yaml"))

    @unittest.skipUnless(importlib.util.find_spec("yaml"), "Python's yaml is not installed")
    def test_the_description_can_be_read(self):
        import yaml
        description = yaml.safe_load(self.read("openapi.yaml"))

        def parts(value):
            if isinstance(value, dict):
                yield from ([value["$ref"]] if "$ref" in value else [])
                value = list(value.values())
            if isinstance(value, list):
                for part in value:
                    yield from parts(part)
        references = set(parts(description))
        self.assertGreater(len(references), 5)
        for reference in references:
            part = description
            for key in reference.removeprefix("#/").split("/"):
                part = part[key]

    @unittest.skipUnless(shutil.which("systemd-analyze"), "systemd is not installed")
    def test_the_unit_is_one(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        path = os.path.join(folder, "ingest.service")
        with open(path, "w") as file:
            file.write(self.read("ingest.service").replace("/usr/local/bin/IngestService", program()))
        done = subprocess.run(["systemd-analyze", "verify", path], capture_output=True, text=True)
        self.assertEqual((done.returncode, [line for line in done.stderr.splitlines() if "ingest.service" in line]), (0, []))

    @unittest.skipUnless(all(map(shutil.which, ("nginx", "openssl", "curl"))), "nginx, openssl and curl are not all installed")
    def test_behind_the_proxy(self):
        feed, rows = people(60_000)
        with Service() as service, socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
            free.close()
            key, certificate = service.path("key.pem"), service.path("certificate.pem")
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=127.0.0.1",
                            "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate], check=True, capture_output=True)
            site = self.read("nginx.conf").replace("listen 443", f"listen 127.0.0.1:{port}").replace("127.0.0.1:8080", f"127.0.0.1:{service.port}")
            site = re.sub(r"ssl_certificate \S+;", f"ssl_certificate {certificate};", site)
            site = re.sub(r"ssl_certificate_key \S+;", f"ssl_certificate_key {key};", site)
            temporary = " ".join(f"{kind}_temp_path {service.path('nginx-' + kind)};"
                                 for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
            with open(service.path("nginx.conf"), "w") as file:
                file.write(f"daemon off; pid {service.path('nginx.pid')}; error_log stderr; events {{}}\n"
                           f"http {{ access_log off; {temporary} {site} }}\n")
            proxy = subprocess.Popen(["nginx", "-p", service.folder, "-c", service.path("nginx.conf"), "-e", "stderr"])
            self.addCleanup(proxy.wait, 30)
            self.addCleanup(proxy.terminate)

            def request(method, path, body=None, **fields):
                trust = ssl.create_default_context(cafile=certificate)
                connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=60, context=trust)
                headers = {name.replace("_", "-"): value for name, value in fields.items()}
                with contextlib.closing(connection):
                    connection.request(method, path, body, dict(headers, Authorization=f"Bearer {TOKEN}"))
                    return Answer(connection.getresponse())

            def is_up():
                with contextlib.suppress(OSError):
                    return request("GET", "/").status == 404
            self.assertTrue(eventually(is_up))
            for path in ("/metrics", "/health/ready", "/try"):
                self.assertEqual(request("GET", path).status, 404)
            half = feed.index(b"\n", len(feed) // 2) + 1
            first = request("POST", "/ingest/acme/people", feed[:half], Upload_ID="tls", Upload_Complete="?0")
            self.assertEqual((first.status, first.offset), (204, half))
            self.assertEqual(request("PATCH", "/uploads/tls", feed[half:], Upload_Offset=str(half)).status, 200)
            self.assertEqual(service.rows("tls"), rows)
            # Python's client speaks only HTTP/1.1.
            done = subprocess.run(
                ["curl", "-sS", "--http2", "--cacert", certificate, "-o", service.path("answer"), "-w", "%{http_version} %{http_code}",
                 "-H", f"Authorization: Bearer {TOKEN}", "-H", "Upload-ID: h2", "--data-binary", "@-",
                 f"https://127.0.0.1:{port}/ingest/acme/people"], input=feed, capture_output=True, timeout=60)
            self.assertEqual(done.stdout.decode(), "2 200", done.stderr)
            self.assertEqual(service.rows("h2"), rows)


class Asked(http.server.BaseHTTPRequestHandler):
    """Another program that answers everything, and keeps what it was sent."""
    seen = []

    def do_GET(self):
        self.seen.append(dict(self.headers))
        self.send_response(204)
        self.end_headers()

    do_POST = do_GET

    def log_message(self, *_):
        pass


class Quickstart(unittest.TestCase):
    def test_it_sends_nothing_to_another_program(self):
        with contextlib.suppress(OSError):
            # Where something has the port already, that is the other program.
            other = http.server.ThreadingHTTPServer(("127.0.0.1", 8080), Asked)
            threading.Thread(target=other.serve_forever, daemon=True).start()
            self.addCleanup(other.server_close)
            self.addCleanup(other.shutdown)
        done = subprocess.run([os.path.join(PACKAGE, "scripts", "quickstart")], capture_output=True, text=True, timeout=600)
        self.assertEqual((done.returncode, Asked.seen), (0, []), done.stderr)
        self.assertIn('"verdict": "complete"', done.stdout)
        self.assertRegex(done.stdout, r"(?m)^  3 3 .* \$\.placed_at ")
        self.assertRegex(done.stdout, r"(?m)^  3 3 .* \$\.lines\[0\]\.qty ")


if __name__ == "__main__":
    unittest.main()
