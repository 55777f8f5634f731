import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/**
 * The house query on Flink's MiniCluster, in batch: rows from a file of lines, or from a topic up to where it ends. Answers
 * as bench/peers/protocol.py.
 */
public class FlinkPeer {
  static final long PRIME = 2_147_483_647L;
  static final long FACTOR = 1_000_003L;

  static final String QUERY =
      "SELECT customer_id, FLOOR(event_time TO HOUR) AS w, COUNT(*) AS orders, SUM(order_total) AS total,"
          + " MAX(event_time) AS latest FROM orders WHERE status = 'paid'"
          + " GROUP BY customer_id, FLOOR(event_time TO HOUR)";

  static String connectorTo(String[] given) {
    String file = valueOf("--input", given, "");
    if (!file.isEmpty()) return "'connector' = 'filesystem', 'path' = '" + file + "'";
    return "'connector' = 'kafka', 'topic' = '"
        + valueOf("--topic", given, "")
        + "', 'properties.bootstrap.servers' = '"
        + valueOf("--brokers", given, "")
        + "', 'scan.startup.mode' = 'earliest-offset', 'scan.bounded.mode' = 'latest-offset'";
  }

  static TableEnvironment start(String connector, String slots) {
    Configuration settings = new Configuration();
    settings.setString("parallelism.default", slots);
    settings.setString("pipeline.object-reuse", "true");
    settings.setString("table.local-time-zone", "UTC");
    settings.setString("rest.bind-address", "127.0.0.1");
    TableEnvironment tables =
        TableEnvironment.create(
            EnvironmentSettings.newInstance().withConfiguration(settings).inBatchMode().build());
    tables.executeSql(
        "CREATE TABLE orders (customer_id BIGINT, order_total DECIMAL(18, 2), status STRING,"
            + " event_time TIMESTAMP_LTZ(6), order_id BIGINT) WITH ("
            + connector
            + ", 'format' = 'json', 'json.timestamp-format.standard' = 'ISO-8601')");
    // The result goes to the sink that drops it: writing it is not what is compared.
    tables.executeSql(
        "CREATE TABLE outcome (customer_id BIGINT, w TIMESTAMP_LTZ(6), orders BIGINT, total DECIMAL(38, 2),"
            + " latest TIMESTAMP_LTZ(6)) WITH ('connector' = 'blackhole')");
    return tables;
  }

  static long microseconds(Object time) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, (Instant) time);
  }

  static String digest(TableEnvironment tables) throws Exception {
    long rows = 0;
    long checksum = 0;
    try (CloseableIterator<Row> found = tables.executeSql(QUERY).collect()) {
      while (found.hasNext()) {
        Row row = found.next();
        long cents = ((BigDecimal) row.getField(3)).movePointRight(2).longValueExact();
        long[] wholes = {
          (Long) row.getField(0), microseconds(row.getField(1)), (Long) row.getField(2), cents,
          microseconds(row.getField(4))
        };
        long hash = 0;
        for (long value : wholes) hash = (hash * FACTOR + value % PRIME) % PRIME;
        checksum += hash * hash % PRIME;
        rows++;
      }
    }
    return "{\"rows\":" + rows + ",\"checksum\":" + checksum + ",\"reals\":[]}";
  }

  static String valueOf(String name, String[] given, String otherwise) {
    for (int i = 0; i + 1 < given.length; i++) if (given[i].equals(name)) return given[i + 1];
    return otherwise;
  }

  public static void main(String[] given) throws Exception {
    TableEnvironment tables = start(connectorTo(given), valueOf("--threads", given, "1"));
    System.out.println("{\"ready\":\"flink\"}");
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
    for (String line = commands.readLine(); line != null && !line.equals("stop"); line = commands.readLine()) {
      if (line.equals("run")) {
        long begin = System.nanoTime();
        tables.executeSql("INSERT INTO outcome " + QUERY).await();
        System.out.println("{\"seconds\":" + (System.nanoTime() - begin) * 1e-9 + "}");
      } else if (line.equals("result")) {
        System.out.println(digest(tables));
      } else {
        System.out.println("{\"error\":\"there is no command " + line + "\"}");
      }
    }
    System.exit(0);
  }
}
