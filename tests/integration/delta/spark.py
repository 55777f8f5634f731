#!/usr/bin/env python3
"""Spark with Delta Lake, and in the same JVM Delta Kernel, as readers and writers of tables.

As a program: `spark.py fetch` gets both once, from PyPI and by Maven, into the folder of caches (600 MB)."""

import datetime
import glob
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

# These two go together.
SPARK, DELTA = "4.2.0", "4.4.0"
ARTIFACT = ("io.delta", "delta-spark_4.2_2.13", DELTA)
# The rest of what Delta needs is part of Spark.
JARS = ("delta-", "unitycatalog-")
EPOCH = datetime.datetime(1970, 1, 1)


class NotAvailable(Exception):
    """Why there can be no Spark here; a sentence."""


def run(command, what):
    done = subprocess.run(command, capture_output=True, text=True, cwd="/")
    if done.returncode != 0:
        raise NotAvailable(f"{what}:\n{(done.stdout + done.stderr)[-2000:]}")


def fetched():
    """The folder with pyspark in `python` and Delta's jars in `jars`; both are downloaded when they are not there."""
    if shutil.which("java") is None:
        raise NotAvailable("there is no java: apt-get install openjdk-17-jre-headless")
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "etlantic"
    folder = cache / f"spark-{SPARK}-delta-{DELTA}"
    if (folder / ".complete").exists():
        return folder
    if shutil.which("mvn") is None:
        raise NotAvailable(f"there is no mvn, and {folder} is not filled: apt-get install maven")
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as work:
        run([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-warn-script-location",
             "--target", f"{work}/got/python", f"pyspark=={SPARK}"], "pip could not get pyspark")
        group, name, version = ARTIFACT
        pom = pathlib.Path(work, "pom.xml")
        pom.write_text("<project><modelVersion>4.0.0</modelVersion>"
                       "<groupId>test</groupId><artifactId>referee</artifactId><version>1</version>"
                       f"<packaging>pom</packaging><dependencies><dependency><groupId>{group}</groupId>"
                       f"<artifactId>{name}</artifactId><version>{version}</version></dependency>"
                       "<dependency><groupId>org.apache.spark</groupId><artifactId>spark-sql_2.13</artifactId>"
                       f"<version>{SPARK}</version><scope>provided</scope></dependency></dependencies></project>")
        run(["mvn", "-q", "-B", "-f", str(pom), "dependency:copy-dependencies", "-DincludeScope=runtime",
             f"-DoutputDirectory={work}/got/jars"], "maven could not get Delta Lake")
        pathlib.Path(work, "got", ".complete").touch()
        shutil.rmtree(folder, ignore_errors=True)
        os.rename(f"{work}/got", folder)
    return folder


class Spark:
    """One session, because starting it takes longer than all that is asked of it."""

    def __init__(self, scratch):
        place = fetched()
        sys.path.append(str(place / "python"))
        from pyspark.sql import SparkSession
        jars = [jar for jar in glob.glob(f"{place}/jars/*.jar") if os.path.basename(jar).startswith(JARS)]
        settings = {
            "spark.jars": ",".join(jars),
            "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
            "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
            "spark.sql.session.timeZone": "UTC",
            "spark.sql.warehouse.dir": f"{scratch}/warehouse",
            "spark.local.dir": f"{scratch}/local",
            "spark.driver.memory": "1g",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
            # A machine that is busy with other tests is no failure.
            "spark.executor.heartbeatInterval": "60s",
            "spark.network.timeout": "600s",
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            # Some rows on two cores: compiled queries and many tasks cost more than they save.
            "spark.driver.extraJavaOptions": f"-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Duser.timezone=UTC "
                                             f"-Dderby.system.home={scratch}",
            "spark.sql.codegen.wholeStage": "false",
            "spark.sql.shuffle.partitions": "1",
            "spark.databricks.delta.snapshotPartitions": "1",
            "spark.databricks.delta.stats.skipping": "true",
        }
        builder = SparkSession.builder.master("local[2]").appName("referee")
        for name, value in settings.items():
            builder = builder.config(name, value)
        self.session = builder.getOrCreate()
        self.session.sparkContext.setLogLevel("OFF")

    def sql(self, text):
        return self.session.sql(text).collect()

    def read(self, folder):
        """Rows as dictionaries, times in microseconds."""
        found = self.sql(f"SELECT * EXCEPT (ts), unix_micros(ts) AS ts FROM delta.`{folder}`")
        return [row.asDict(recursive=True) for row in found]

    def types(self, folder):
        """Column -> type and whether it can be null; of the table, not of what is read from it."""
        schema = self.session._jvm.org.apache.spark.sql.delta.DeltaLog.forTable(self.session._jsparkSession, folder)
        schema = schema.update(False, self.none(), self.none()).metadata().schema()
        return {field.name(): (field.dataType().simpleString(), field.nullable()) for field in schema.fields()}

    def none(self):
        return self.session._jvm.scala.Option.apply(None)

    def rows_of(self, folder, rows):
        """A frame with the columns of a table."""
        schema = self.session.read.format("delta").load(folder).schema
        values = [tuple(self.value(row[field.name], field.name) for field in schema) for row in rows]
        for field in schema:
            field.nullable = True
        return self.session.createDataFrame(values, schema)

    @staticmethod
    def value(value, name):
        return EPOCH + datetime.timedelta(microseconds=value) if name == "ts" else value

    def stop(self):
        self.session.stop()


class Kernel:
    """Delta Kernel with its default engine reads tables by itself: of Spark it has nothing but the JVM."""

    GETTERS = {"k": "getLong", "batch": "getLong", "amount": "getDecimal", "wide": "getDecimal", "ts": "getLong", "day": "getInt",
               "name": "getString", "region": "getString", "ratio": "getDouble", "small": "getFloat", "flag": "getBoolean",
               "tiny": "getByte", "short": "getShort", "bytes": "getBinary", "colour": "getString"}

    def __init__(self, spark):
        self.jvm = spark.session._jvm
        self.kernel = self.jvm.io.delta.kernel
        self.engine = self.kernel.defaults.engine.DefaultEngine.create(spark.session._jsc.hadoopConfiguration())

    def snapshot(self, folder):
        return self.kernel.Table.forPath(self.engine, folder).getLatestSnapshot(self.engine)

    def transaction(self, folder, application):
        found = self.snapshot(folder).getLatestTransactionVersion(self.engine, application)
        return found.get() if found.isPresent() else None

    def read(self, folder):
        """Rows as dictionaries, of the columns that are neither structs nor lists."""
        scan = self.snapshot(folder).getScanBuilder().build()
        state = scan.getScanState(self.engine)
        names = list(self.snapshot(folder).getSchema().fieldNames())
        found = []
        for batch in self.each(scan.getScanFiles(self.engine)):
            for file in self.each(batch.getRows()):
                found += self.rows_of_file(state, file, names)
        return found

    def rows_of_file(self, state, file, names):
        one = self.kernel.internal.util.Utils.singletonCloseableIterator
        status = self.kernel.internal.InternalScanFileUtils.getAddFileStatus(file)
        physical = self.kernel.internal.data.ScanStateRow.getPhysicalDataReadSchema(state)
        read = self.engine.getParquetHandler().readParquetFiles(one(status), physical, self.jvm.java.util.Optional.empty())
        for part in self.each(read):
            for data in self.each(self.kernel.Scan.transformPhysicalData(self.engine, state, file, one(part.getData()))):
                for row in self.each(data.getRows()):
                    yield {name: self.value(row, place, name) for place, name in enumerate(names) if name in self.GETTERS}

    def value(self, row, place, name):
        if row.isNullAt(place):
            return None
        value = getattr(row, self.GETTERS[name])(place)
        return datetime.date(1970, 1, 1) + datetime.timedelta(days=value) if name == "day" else value

    @staticmethod
    def each(iterator):
        while iterator.hasNext():
            yield getattr(iterator, "next")()
        iterator.close()


if __name__ == "__main__":
    if sys.argv[1:] != ["fetch"]:
        print(__doc__)
        sys.exit(2)
    try:
        print(fetched())
    except NotAvailable as reason:
        print(f"spark: {reason}", file=sys.stderr)
        sys.exit(1)
