// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package site.ycsb.db.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Vector;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/** Tests the binding over the engine itself. Other tests use a model of a store. */
@SuppressWarnings("JdkObsolete") // YCSB's API uses Vector
class RlsmStoreOpenerTest {

  private static final String TABLE = "usertable";
  private static final int RECORDS = 100;

  @TempDir
  Path directory;

  private RlsmClient client(String... options) throws DBException {
    Properties properties = new Properties();
    properties.setProperty(ClientSettings.DIRECTORY, directory.toString());
    for (String option : options) {
      String[] parts = option.split("=", 2);
      properties.setProperty(ClientSettings.OPTION_PREFIX + parts[0], parts[1]);
    }
    RlsmClient client = new RlsmClient();
    client.setProperties(properties);
    client.init();
    return client;
  }

  @Test
  void opensStoreWithoutShards() throws DBException {
    useAndReopen();
    assertThat(directory.resolve("SHARDS")).doesNotExist();
  }

  @Test
  void opensStoreWithShards() throws DBException {
    useAndReopen("shards=2");
    assertThat(directory.resolve("SHARDS")).isRegularFile();
  }

  private void useAndReopen(String... options) throws DBException {
    RlsmClient writer = client(options);
    for (int i = 0; i < RECORDS; i++) {
      assertThat(writer.insert(TABLE, key(i), field("first " + i))).isEqualTo(Status.OK);
    }
    assertThat(writer.update(TABLE, key(1), field("second"))).isEqualTo(Status.OK);
    assertThat(writer.delete(TABLE, key(2))).isEqualTo(Status.OK);
    check(writer);
    writer.cleanup();
    RlsmClient reader = client(options);
    check(reader);
    reader.cleanup();
  }

  private static void check(RlsmClient client) {
    Map<String, ByteIterator> read = new HashMap<>();
    assertThat(client.read(TABLE, key(1), null, read)).isEqualTo(Status.OK);
    assertThat(read.get("field0")).hasToString("second");
    assertThat(client.read(TABLE, key(2), null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
    Vector<HashMap<String, ByteIterator>> scanned = new Vector<>();
    assertThat(client.scan(TABLE, key(0), RECORDS, null, scanned)).isEqualTo(Status.OK);
    List<String> expected = IntStream.range(0, RECORDS)
        .filter(i -> i != 2)
        .mapToObj(i -> i == 1 ? "second" : "first " + i)
        .toList();
    assertThat(scanned)
        .extracting(record -> String.valueOf(record.get("field0")))
        .isEqualTo(expected);
  }

  private static String key(int i) {
    return String.format(Locale.ROOT, "user%03d", i);
  }

  private static Map<String, ByteIterator> field(String value) {
    return new HashMap<>(Map.of("field0", new StringByteIterator(value)));
  }
}
