"""A server of PostgreSQL for the tests: on a socket in a folder of its own, started when the first test needs it."""
import atexit
import contextlib
import functools
import glob
import os
import shutil
import signal
import subprocess
import tempfile

try:
    import psycopg
except ImportError:
    psycopg = None


def place():
    """Where its programs are, or nil: Debian keeps them off the path."""
    places = [os.path.dirname(path) for path in glob.glob("/usr/lib/postgresql/*/bin/initdb")]
    found = shutil.which("initdb")
    return max(places, default=os.path.dirname(found) if found else None)


def missing():
    """Why there can be no server here; nil if there can."""
    if psycopg is None:
        return "psycopg is not installed"
    return None if place() else "postgresql is not installed"


class Server:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="ingest-postgres-")
        self.data = os.path.join(self.folder, "data")
        # It refuses to run as root.
        self.as_server = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        if self.as_server:
            shutil.chown(self.folder, "postgres")
        self.run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
        with open(os.path.join(self.data, "pg_hba.conf"), "w") as file:
            file.write("local all guarded scram-sha-256\nlocal all all trust\n")
        self.start()
        atexit.register(self.close)

    def run(self, tool, *words):
        subprocess.run([*self.as_server, os.path.join(place(), tool), *words], check=True, cwd="/", stdout=subprocess.DEVNULL)

    def start(self):
        # The services are killed, never the machine.
        self.run("pg_ctl", "-D", self.data, "-w", "-l", os.path.join(self.folder, "log"), "-o",
                 f"-k {self.folder} -c listen_addresses='' -c fsync=off -c max_connections=200", "start")

    def stop(self, mode="immediate"):
        self.run("pg_ctl", "-D", self.data, "-w", "-m", mode, "stop")

    def close(self):
        with contextlib.suppress(subprocess.CalledProcessError):
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def processes(self):
        """The server's own process and those of its connections."""
        with open(os.path.join(self.data, "postmaster.pid")) as file:
            first = file.readline().strip()
        found = subprocess.run(["pgrep", "-P", first], capture_output=True, text=True).stdout.split()
        return [int(pid) for pid in (first, *found)]

    @contextlib.contextmanager
    def silent(self):
        """The server is there, and says nothing."""
        stopped = self.processes
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in stopped:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)

    def address(self, database="postgres", user="postgres"):
        return f"postgres://{user}@/{database}?host={self.folder}"

    def connect(self, database="postgres", **options):
        return psycopg.connect(self.address(database), **options)

    def administer(self, *statements):
        with contextlib.closing(self.connect(autocommit=True)) as connection:
            for statement in statements:
                connection.execute(statement)

    def make(self, name, options=""):
        """A database of that name, unless it is there; its address."""
        with contextlib.closing(self.connect(autocommit=True)) as connection:
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchall():
                connection.execute(f'CREATE DATABASE "{name}" {options}')
        return self.address(name)

    def drop(self, name):
        self.administer(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


@functools.cache
def server():
    """The one server of the tests."""
    return Server()
