#!/usr/bin/env python3
"""A Kafka broker of our own for tests: one node without ZooKeeper, on the loopback interface, from Maven's artifacts.

As a program: `broker.py fetch` gets the artifacts once; `broker.py run` starts a broker in a temporary folder, prints its
address and ends it, with all that it wrote, at Ctrl-C.
"""

import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

VERSION = os.environ.get("ETLANTIC_KAFKA_VERSION", "4.4.0")
ARTIFACTS = [
    ("org.apache.kafka", "kafka_2.13", VERSION),
    ("org.apache.kafka", "kafka-tools", VERSION),
    ("org.slf4j", "slf4j-simple", "1.7.36"),
]
QUICK_START = ["-Xmx384m", "-Xms64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
# For measurements: compiled as well as the machine can, and with room for what many small requests leave behind.
FULL_SPEED = ["-Xmx640m", "-Xms640m", "-Xmn384m", "-XX:+UseSerialGC"]


class NotAvailable(Exception):
    """Why there can be no broker here; a sentence."""


def jar_folder():
    """The folder with the broker's jars; they are downloaded when they are not there."""
    if shutil.which("openssl") is None:
        raise NotAvailable("there is no openssl: apt-get install openssl")
    if shutil.which("java") is None:
        raise NotAvailable("there is no java: apt-get install openjdk-17-jre-headless")
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "etlantic"
    jars = cache / f"kafka-{VERSION}"
    if (jars / ".complete").exists():
        return jars
    if shutil.which("mvn") is None:
        raise NotAvailable(f"there is no mvn, and {jars} is not filled: apt-get install maven")
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as work:
        dependencies = "".join(
            f"<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId><version>{version}</version></dependency>"
            for group, name, version in ARTIFACTS)
        pom = pathlib.Path(work, "pom.xml")
        pom.write_text('<project><modelVersion>4.0.0</modelVersion>'
                       "<groupId>test</groupId><artifactId>broker</artifactId><version>1</version>"
                       f"<packaging>pom</packaging><dependencies>{dependencies}</dependencies></project>")
        got = subprocess.run(["mvn", "-q", "-B", "-f", str(pom), "dependency:copy-dependencies", "-DincludeScope=runtime",
                              f"-DoutputDirectory={work}/jars"], capture_output=True, text=True)
        if got.returncode != 0:
            raise NotAvailable("maven could not get the broker:\n" + got.stdout[-2000:])
        pathlib.Path(work, "jars", ".complete").touch()
        shutil.rmtree(jars, ignore_errors=True)
        os.rename(pathlib.Path(work, "jars"), jars)
    return jars


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Broker:
    """Started in `folder`; `stop` and `start` keep its records, `close` wipes them."""

    def __init__(self, folder, password, machine=QUICK_START):
        """Whoever comes to `login_port`, or to `secure_port`, which speaks TLS, must be `reader` with this password."""
        self.jars = jar_folder()
        self.machine = machine
        self.folder = pathlib.Path(folder)
        self.port, self.controller, self.login_port, self.secure_port = (free_port() for _ in range(4))
        self.address = f"127.0.0.1:{self.port}"
        self.process = None
        self.folder.mkdir(parents=True, exist_ok=True)
        self._make_certificate()
        listeners = (f"CLIENT://{self.address},QUORUM://127.0.0.1:{self.controller},"
                     f"LOGIN://127.0.0.1:{self.login_port},SECURE://127.0.0.1:{self.secure_port}")
        plain = f'org.apache.kafka.common.security.plain.PlainLoginModule required user_reader="{password}";'
        scram = "org.apache.kafka.common.security.scram.ScramLoginModule required;"
        written = {
            "process.roles": "broker,controller",
            "node.id": 1,
            "controller.quorum.bootstrap.servers": f"127.0.0.1:{self.controller}",
            "listeners": listeners,
            "advertised.listeners": listeners,
            "listener.security.protocol.map": 
                "CLIENT:PLAINTEXT,QUORUM:PLAINTEXT,LOGIN:SASL_PLAINTEXT,SECURE:SASL_SSL",
            "sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-512",
            "listener.name.login.scram-sha-512.sasl.jaas.config": scram,
            "listener.name.secure.scram-sha-512.sasl.jaas.config": scram,
            "listener.name.secure.ssl.keystore.type": "PEM",
            "listener.name.secure.ssl.keystore.location": self.folder / "broker.pem",
            "listener.name.login.plain.sasl.jaas.config": plain,
            "listener.name.secure.plain.sasl.jaas.config": plain,
            "inter.broker.listener.name": "CLIENT",
            "controller.listener.names": "QUORUM",
            "log.dirs": self.folder / "logs",
            "auto.create.topics.enable": "false",
            "offsets.topic.num.partitions": 1,
            "offsets.topic.replication.factor": 1,
            "transaction.state.log.num.partitions": 1,
            "transaction.state.log.replication.factor": 1,
            "transaction.state.log.min.isr": 1,
            "share.coordinator.state.topic.num.partitions": 1,
            "share.coordinator.state.topic.replication.factor": 1,
            "share.coordinator.state.topic.min.isr": 1,
            "num.io.threads": 2,
            "num.network.threads": 2,
            "log.cleaner.dedupe.buffer.size": 4 << 20,
            "log.retention.check.interval.ms": 500,
            "log.initial.task.delay.ms": 500,
        }
        self.settings = self.folder / "server.properties"
        self.settings.write_text("".join(f"{name}={value}\n" for name, value in written.items()))
        self._java("kafka.tools.StorageTool", "format", "--standalone", "-t", "ZXRsYW50aWMtdGVzdHMtMQ", "-c",
                   str(self.settings), "--add-scram", f"SCRAM-SHA-512=[name=reader,password={password}]")
        self.start()

    def _make_certificate(self):
        """One of its own for 127.0.0.1, in `certificate`; whoever trusts no other does not trust the broker."""
        self.certificate = self.folder / "certificate.pem"
        key = self.folder / "key.pem"
        made = subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=etlantic",
                               "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", self.certificate],
                              capture_output=True, text=True)
        if made.returncode != 0:
            raise NotAvailable("openssl makes no certificate: " + made.stderr[-500:])
        (self.folder / "broker.pem").write_text(key.read_text() + self.certificate.read_text())

    def _command(self, name, *arguments, machine=QUICK_START):
        return ["java", *machine, "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn", "-cp", f"{self.jars}/*", name, *arguments]

    def _java(self, name, *arguments, **more):
        done = subprocess.run(self._command(name, *arguments), capture_output=True, text=True, **more)
        if done.returncode != 0:
            raise RuntimeError(f"{name}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout

    def start(self):
        log = open(self.folder / "broker.log", "ab")
        self.process = subprocess.Popen(self._command("kafka.Kafka", str(self.settings), machine=self.machine), stdout=log,
                                        stderr=log, stdin=subprocess.DEVNULL)
        log.close()
        deadline = time.monotonic() + 90
        while not self._answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError("the broker does not start:\n" + (self.folder / "broker.log").read_text()[-3000:])
            time.sleep(0.1)

    def _answers(self):
        """Whether it answers a request for metadata (version 1, no topics) with at least one broker."""
        request = struct.pack(">hhih4si", 3, 1, 7, 4, b"test", 0)
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as to:
                to.sendall(struct.pack(">i", len(request)) + request)
                answer = b""
                while len(answer) < 12:
                    part = to.recv(64)
                    if not part:
                        return False
                    answer += part
                return struct.unpack(">ii", answer[4:12])[1] > 0
        except OSError:
            return False

    def stop(self):
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.kill()
        self.process = None

    def kill(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
        self.process = None

    def close(self):
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def topics(self, *arguments):
        return self._java("org.apache.kafka.tools.TopicCommand", "--bootstrap-server", self.address, *arguments)

    def create_topic(self, name, partitions, **settings):
        extra = [word for key, value in settings.items() for word in ("--config", f"{key.replace('_', '.')}={value}")]
        self.topics("--create", "--topic", name, "--partitions", str(partitions), *extra)


def main():
    if sys.argv[1:] == ["fetch"]:
        print(jar_folder())
        return 0
    if sys.argv[1:] != ["run"]:
        print(__doc__)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        broker = Broker(folder, password="secret")
        print(broker.address, flush=True)
        try:
            broker.process.wait()
        except KeyboardInterrupt:
            pass
        broker.close()
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except NotAvailable as reason:
        print(f"broker: {reason}", file=sys.stderr)
        sys.exit(1)
