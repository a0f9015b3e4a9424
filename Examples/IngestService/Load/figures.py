"""What is measured under load: the figures, what a process uses, and the table of both."""
import os
import sys
import time

FIGURES = []


def figure(what, value, bar=None):
    """Keeps a figure; `bar` is what was to be reached, and whether it is."""
    reached = "" if bar is None else f"{bar[0]}: {'yes' if bar[1] else 'NO'}"
    FIGURES.append((what, value, reached))
    print(f"load: {what}: {value}" + (f" ({reached})" if reached else ""), flush=True)


def check(holds, what):
    if not holds:
        sys.exit(f"load: FAILED: {what}")


class Use:
    """What a process has used up to now."""

    def __init__(self, pid):
        self.pid = pid
        self.start = time.monotonic()
        self.start_processor = self.processor()

    def processor(self):
        with open(f"/proc/{self.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def status(self, name):
        with open(f"/proc/{self.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(name + ":"))

    @property
    def seconds(self):
        return time.monotonic() - self.start

    @property
    def processor_seconds(self):
        return self.processor() - self.start_processor

    @property
    def megabytes(self):
        """The most memory that the process has had."""
        return self.status("VmHWM") / 1024

    @property
    def peak(self):
        return f"{self.megabytes:.0f} MB"

    def shares(self, store):
        """Which threads the processor was used by, in percent; those of the store under its name."""
        seconds = {"mapping": 0, "network": 0, store: 0}
        for thread in os.listdir(f"/proc/{self.pid}/task"):
            try:
                with open(f"/proc/{self.pid}/task/{thread}/stat") as file:
                    name, fields = file.read().split("(", 1)[1].rsplit(")", 1)
            except OSError:
                continue
            # The queues of the databases are the only ones that take threads beyond those of Swift's tasks, which map or start those that do.
            part = "network" if name.startswith("NIO") else store if name.endswith("overcommit") else "mapping"
            seconds[part] += sum(map(int, fields.split()[11:13]))
        total = sum(seconds.values()) or 1
        return ", ".join(f"{part} {100 * used / total:.0f} %" for part, used in seconds.items())

    @property
    def threads(self):
        return self.status("Threads")


def machine():
    """The processor that the figures are of, and the day."""
    with open("/proc/cpuinfo") as file:
        model = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), "an unknown processor")
    return f"{model}, {os.cpu_count()} cores, with the clients on the same machine; {time.strftime('%Y-%m-%d')}"


def write_table(path):
    """Puts the figures in their place in a file, which stays as it is around them."""
    first, last = "<!-- load -->\n", "<!-- end of load -->\n"
    with open(path) as file:
        text = file.read()
    start, end = text.index(first) + len(first), text.index(last)
    table = f"Of {machine()}.\n\n| What | Figures | To reach |\n|---|---|---|\n"
    table += "".join(f"| {what} | {value} | {reached} |\n" for what, value, reached in FIGURES)
    with open(path, "w") as file:
        file.write(text[:start] + "\n" + table + "\n" + text[end:])
