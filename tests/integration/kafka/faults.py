"""What goes wrong with a cluster: its class and sentence, whether it is tried again, and that the query goes on by
itself where it can."""

import json
import os
import subprocess

import broker as kafka
import topics
from topics import EXAMPLE, PASSWORD, Topics, records, run

PATIENT = {"attempts": 200, "backoff": "100ms", "longest_backoff": "500ms"}


class Faults(Topics):
    def orders(self, count=100):
        self.generate("--rows", count, "--batch-rows", 10, "--late", 0, "--invalid", 0)

    def begin(self, settings, *words):
        query = subprocess.Popen([EXAMPLE, "run", "--profile", settings, "--progress", "json", *words],
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(query.stdout.close)
        self.addCleanup(query.wait, 60)
        self.addCleanup(query.kill)
        return query

    def next(self, query, event):
        """Reads on to the next record of this kind; one that the query ends before is an error."""
        line = ""
        for line in query.stdout:
            record = json.loads(line)
            if record["event"] == event:
                return record
            if record["event"] == "failure":
                self.fail(line)
        self.fail(f"the query ended without a {event}: {line}")

    def refused(self, settings, code, kind, sentence):
        """It fails for good: once, although the profile has retries."""
        done = run("run", "--once", "--profile", settings, "--progress", "json")
        failures = records(done.stdout, "failure")
        self.assertEqual([(each["code"], each["class"]) for each in failures], [(code, kind)], done.stdout + done.stderr)
        self.assertIn(sentence, failures[0]["message"])
        self.assertNotEqual(failures[0]["help"], "")
        self.assertEqual(records(done.stdout, "retry"), [])
        return done


class Outage(Faults):
    def test_a_broker_that_is_down_at_the_start_or_is_lost_midway(self):
        self.orders()
        self.create_topic()
        self.produce(0, 40, 1)
        running = self.begin(self.profile(retry=PATIENT, source={"timeout_ms": 1500}))
        self.next(running, "batch")
        topics.BROKER.stop()
        self.addCleanup(lambda: topics.BROKER.process or topics.BROKER.start())
        lost = self.next(running, "retry")
        self.assertEqual(lost["class"], "connectivity")
        # A broker that is going says for a moment that it knows no topic.
        self.assertIn(lost["code"], ("PMSTREAM425", "PMSTREAM427"))

        def other(name, **more):
            folder = self.folder
            self.folder = folder / name
            self.folder.mkdir()
            query = self.begin(self.profile(retry=PATIENT, **more), "--once")
            self.folder = folder
            down = self.next(query, "retry")
            self.assertEqual((down["code"], down["class"]), ("PMSTREAM425", "connectivity"))
            return query

        source = other("source", source={"timeout_ms": 500})
        sink = other("sink", instead={"connector": "file", "path": str(self.events)},
                     windows={"connector": "kafka", "bootstrap_servers": topics.BROKER.address,
                              "topic": self.topic + "-out", "timeout_ms": 500})
        topics.BROKER.start()
        self.produce(40, 100, 1)
        read = 0
        while read < 60:
            read += self.next(running, "batch")["rows_read"]
        self.assertEqual(read, 60)
        self.assertGreaterEqual(self.next(source, "summary")["rows_read"], 40)
        self.assertEqual(self.next(sink, "summary")["outcome"], "finished")


class Missing(Faults):
    def test_a_topic_that_is_not_there(self):
        self.refused(self.profile(source={"timeout_ms": 5000}, retry=PATIENT), "PMSTREAM427", "configuration",
                     f"the cluster has no topic `{self.topic}`")

    def test_no_broker_and_no_retry(self):
        nowhere = {"timeout_ms": 1000, "bootstrap_servers": f"127.0.0.1:{kafka.free_port()}"}
        done = self.refused(self.profile(source=nowhere), "PMSTREAM425", "connectivity", "cannot look for the topic")
        self.assertEqual(done.returncode, 8)

    def test_a_topic_that_is_deleted_midway_and_created_anew(self):
        self.orders()
        self.create_topic()
        self.produce(0, 50, 1)
        # A snapshot behind each batch: else what was read since the newest one would have to be read again.
        settings = self.profile(retry=PATIENT, source={"timeout_ms": 1000, "on_data_loss": "continue"},
                                checkpoint={"path": str(self.folder / "checkpoint"), "interval": "each_batch"})
        query = self.begin(settings)
        self.next(query, "batch")
        self.administer("remove", self.topic)
        gone = self.next(query, "retry")
        self.assertEqual((gone["code"], gone["class"]), ("PMSTREAM427", "connectivity"))
        self.assertIn("which it had before", gone["message"])
        self.create_topic()
        self.produce(0, 3, 1)
        again = self.next(query, "batch")
        while again["rows_read"] == 0:
            again = self.next(query, "batch")
        self.assertEqual(again["rows_read"], 3)

    def test_a_topic_that_is_created_anew_while_the_query_is_away(self):
        self.orders()
        self.create_topic()
        self.produce(0, 50, 1)
        self.finish(self.profile())
        self.administer("remove", self.topic)
        gone = run("run", "--once", "--profile", self.profile(source={"timeout_ms": 1500}))
        self.assertIn("PMSTREAM427", gone.stderr)
        self.create_topic()
        self.produce(0, 3, 1)
        self.refused(self.profile(retry=PATIENT), "PMSTREAM428", "source data",
                     "ends at offset 3, but had been read up to 50")


class Lost(Faults):
    def test_records_that_are_gone_before_they_were_planned(self):
        self.orders()
        self.create_topic()
        self.produce(0, 50, 1)
        self.finish(self.profile())
        self.produce(50, 100, 1)
        self.administer("forget", self.topic, 0, 70)
        done = self.refused(self.profile(retry=PATIENT), "PMSTREAM428", "source data", "up to 20 records expired")
        self.assertEqual(done.returncode, 4)
        summary = self.finish(self.profile(source={"on_data_loss": "continue"}))
        self.assertEqual(summary["rows_read"], 30)
        self.assertIn("up to 20 records expired", str(summary["warnings"]))

    def test_records_that_are_gone_after_they_were_planned(self):
        self.orders()
        self.create_topic()
        self.produce(0, 100, 1)
        results = self.topic + "-out"
        self.administer("create", results, 1, "max.message.bytes=200")
        sink = {"connector": "kafka", "bootstrap_servers": topics.BROKER.address, "topic": results}
        settings = self.profile(windows=sink)
        self.assertIn("PMSTREAM410", run("run", "--once", "--profile", settings).stderr)  # planned and not published
        self.administer("set", results, "max.message.bytes=1000000")
        self.administer("forget", self.topic, 0, 60)
        self.refused(self.profile(windows=sink, retry=PATIENT), "PMSTREAM428", "source data",
                     "offsets 0 to 60 of " + self.topic + "/0 were planned, but the partition begins at 60 now")
        summary = self.finish(self.profile(windows=sink, source={"on_data_loss": "continue"}))
        self.assertEqual(summary["rows_read"], 40)


class TooLarge(Faults):
    def test_a_record_that_the_topic_does_not_take(self):
        self.orders()
        self.create_topic(1, "max.message.bytes=200")
        settings = self.profile(instead={"connector": "file", "path": str(self.events)}, retry=PATIENT,
                                windows={"connector": "kafka", "bootstrap_servers": topics.BROKER.address,
                                         "topic": self.topic})
        done = self.refused(settings, "PMSTREAM410", "sink rejected", "Message size too large")
        self.assertEqual(done.returncode, 5)
        self.administer("set", self.topic, "max.message.bytes=1000000")
        self.assertEqual(self.finish(settings)["outcome"], "finished")  # the same batch, as it was planned


class NotLetIn(Faults):
    def security(self, port, protocol, mechanism, password, **more):
        return {"bootstrap_servers": f"127.0.0.1:{port}", "timeout_ms": 8000,
                "librdkafka": {"security.protocol": protocol, "sasl.mechanism": mechanism, "sasl.username": "reader",
                               "sasl.password": password, **more}}

    def everything_written(self):
        profile = self.folder / "profile.yaml"
        return "".join(path.read_bytes().decode("utf-8", "replace") for path in self.folder.rglob("*")
                       if path.is_file() and path != profile)

    def test_a_wrong_password_is_told_and_not_shown(self):
        self.create_topic()
        broker = topics.BROKER
        trusted = {"ssl.ca.location": str(broker.certificate)}
        unknown = self.folder / "other.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=other", "-keyout",
                        os.devnull, "-out", unknown], check=True, capture_output=True)
        # Brokers from 3.8.1 on refuse every login by SCRAM of a librdkafka before 2.6.1, and that is told.
        scram_works = tuple(map(int, self.administer("version").split("."))) >= (2, 6, 1)
        ways = [("wrong-1", broker.login_port, "SASL_PLAINTEXT", "PLAIN", {}, False),
                ("wrong-2", broker.login_port, "SASL_PLAINTEXT", "SCRAM-SHA-512", {}, False),
                ("wrong-3", broker.secure_port, "SASL_SSL", "PLAIN", trusted, False),
                (PASSWORD, broker.secure_port, "SASL_SSL", "PLAIN", {"ssl.ca.location": str(unknown)}, False),
                (PASSWORD, broker.login_port, "SASL_PLAINTEXT", "PLAIN", {}, True),
                (PASSWORD, broker.secure_port, "SASL_SSL", "PLAIN", trusted, True),
                (PASSWORD, broker.login_port, "SASL_PLAINTEXT", "SCRAM-SHA-512", {}, scram_works)]
        for number, (password, port, protocol, mechanism, more, lets_in) in enumerate(ways):
            with self.subTest(protocol=protocol, mechanism=mechanism, password=password):
                reference = "env:KAFKA_TEST_PASSWORD" if number % 2 == 0 else password  # written out is as secret
                options = self.security(port, protocol, mechanism, reference, **more)
                as_sink = number in (1, 5)
                (self.folder / "nothing.ndjson").touch()
                settings = self.profile(retry=PATIENT, **(
                    {"instead": {"connector": "file", "path": str(self.folder / "nothing.ndjson")},
                     "windows": {"connector": "kafka", "topic": self.topic, **options}} if as_sink
                    else {"source": options}))
                environment = {**os.environ, "KAFKA_TEST_PASSWORD": password}
                done = run("run", "--once", "--profile", settings, "--progress", "json", env=environment)
                told = done.stdout + done.stderr
                for command in ("validate", "plan", "status", "report"):
                    one = run(command, "--profile", settings, env=environment)
                    told += one.stdout + one.stderr
                self.assertNotIn(password, told)
                self.assertNotIn(password, self.everything_written())
                if lets_in:
                    self.assertEqual(done.returncode, 0, told)
                else:
                    self.assertEqual(done.returncode, 8, told)
                    self.assertEqual([(each["code"], each["class"]) for each in records(done.stdout, "failure")],
                                     [("PMSTREAM426", "authentication")], told)
                    self.assertEqual("needs librdkafka 2.6.1" in told, mechanism != "PLAIN" and not scram_works)
                    self.assertEqual(records(done.stdout, "retry"), [], "a login that was refused is tried again")
