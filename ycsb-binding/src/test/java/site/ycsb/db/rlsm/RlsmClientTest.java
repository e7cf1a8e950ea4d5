// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package site.ycsb.db.rlsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.Vector;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

@SuppressWarnings("JdkObsolete") // YCSB's API uses Vector
class RlsmClientTest {

  private static final String TABLE = "usertable";

  @TempDir
  Path directory;

  private final List<RlsmClient> clients = new ArrayList<>();
  private final Properties properties = new Properties();
  private RlsmClient client;

  @BeforeEach
  void connect() throws DBException {
    properties.setProperty(ClientSettings.DIRECTORY, directory.toString());
    properties.setProperty(ClientSettings.STORE, ModelStoreOpener.NAME);
    client = newClient();
  }

  @AfterEach
  void disconnect() throws DBException {
    for (RlsmClient each : clients) {
      each.cleanup();
    }
  }

  @Test
  void readReturnsInsertedRecord() {
    assertThat(insert("user1", "field0", "zero", "field1", "")).isEqualTo(Status.OK);

    assertThat(read("user1", null)).isEqualTo(Map.of("field0", "zero", "field1", ""));
    assertThat(read("user1", Set.of("field1", "none"))).isEqualTo(Map.of("field1", ""));
  }

  @Test
  void insertReplacesWholeRecord() {
    insert("user1", "field0", "old", "field1", "old");
    insert("user1", "field0", "new");

    assertThat(read("user1", null)).isEqualTo(Map.of("field0", "new"));
  }

  @Test
  void absentRecordIsNotFound() {
    Map<String, ByteIterator> result = new HashMap<>();

    assertThat(client.read(TABLE, "user1", null, result)).isEqualTo(Status.NOT_FOUND);
    assertThat(result).isEmpty();
    assertThat(update(client, "user1", "field0", "new")).isEqualTo(Status.NOT_FOUND);
    assertThat(client.read(TABLE, "user1", null, result)).isEqualTo(Status.NOT_FOUND);
  }

  @Test
  void updateKeepsOtherFields() {
    insert("user1", "field0", "zero", "field1", "one");

    assertThat(update(client, "user1", "field1", "changed", "field2", "added"))
        .isEqualTo(Status.OK);

    assertThat(read("user1", null))
        .isEqualTo(Map.of("field0", "zero", "field1", "changed", "field2", "added"));
  }

  @Test
  void deleteRemovesRecordAndIsIdempotent() {
    insert("user1", "field0", "zero");

    assertThat(client.delete(TABLE, "user1")).isEqualTo(Status.OK);
    assertThat(client.read(TABLE, "user1", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
    assertThat(client.delete(TABLE, "user1")).isEqualTo(Status.OK);
  }

  @Test
  void scansInKeyOrderFromTheStartKeyOn() {
    for (String key : List.of("user3", "user10", "user1", "userä", "user2", "user")) {
      // YCSB's string iterator returns one byte per character.
      insert(key, "field0", "of " + key.replace("ä", "ae"), "field1", "x");
    }

    assertThat(scan("user1", 3)).containsExactly("of user1", "of user10", "of user2");
    assertThat(scan("user11", 9)).containsExactly("of user2", "of user3", "of userae");
    assertThat(scan("userz", 9)).containsExactly("of userae");
    assertThat(scan("v", 9)).isEmpty();
    assertThat(scan("", 0)).isEmpty();
  }

  @Test
  void tablesAreSeparate() {
    insert("user1", "field0", "mine");

    assertThat(client.read("other", "user1", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
    client.insert("other", "user1", values("field0", "theirs"));
    assertThat(read("user1", null)).isEqualTo(Map.of("field0", "mine"));
    client.delete("other", "user1");
    assertThat(read("user1", null)).isEqualTo(Map.of("field0", "mine"));
  }

  @Test
  void recordsSurviveReopening() throws DBException {
    insert("user1", "field0", "zero");
    client.cleanup();

    client.init();

    assertThat(read("user1", null)).isEqualTo(Map.of("field0", "zero"));
  }

  @Test
  void concurrentUpdatesOfOneRecordAreAllKept() throws Exception {
    int threads = 8;
    int rounds = 500;
    insert("user1", "shared", "0");
    ExecutorService pool = Executors.newFixedThreadPool(threads, Thread::new);
    CountDownLatch start = new CountDownLatch(threads);
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      String field = "field" + i;
      RlsmClient mine = newClient();
      running.add(pool.submit(() -> {
        start.countDown();
        start.await();
        for (int round = 0; round < rounds; round++) {
          assertThat(update(mine, "user1", field, "" + round)).isEqualTo(Status.OK);
          // Only this thread writes this field, so a lost update would show.
          assertThat(read(mine, "user1", Set.of(field))).isEqualTo(Map.of(field, "" + round));
        }
        return null;
      }));
    }
    pool.shutdown();
    for (Future<?> each : running) {
      each.get();
    }

    Map<String, String> expected = new TreeMap<>(Map.of("shared", "0"));
    for (int i = 0; i < threads; i++) {
      expected.put("field" + i, "" + (rounds - 1));
    }
    assertThat(read("user1", null)).isEqualTo(expected);
  }

  @Test
  void blindUpdateOfAllFieldsDoesNotReadRecord() throws DBException {
    client.cleanup();
    properties.setProperty(ClientSettings.BLIND_UPDATES, "true");
    properties.setProperty("fieldcount", "2");
    client.init();

    assertThat(update(client, "user1", "field0", "a")).isEqualTo(Status.NOT_FOUND);
    assertThat(update(client, "user1", "field0", "a", "field1", "b")).isEqualTo(Status.OK);
    assertThat(update(client, "user1", "field1", "c")).isEqualTo(Status.OK);

    assertThat(read("user1", null)).isEqualTo(Map.of("field0", "a", "field1", "c"));
  }

  @Test
  void malformedValueIsUnexpectedState() throws DBException {
    try (StoreLease lease = StoreLease.acquire(ClientSettings.from(properties))) {
      lease.store().keyspace(TABLE).put(new byte[] {'k'}, new byte[] {99});
    }

    assertThat(client.read(TABLE, "k", null, new HashMap<>())).isEqualTo(Status.UNEXPECTED_STATE);
    assertThat(update(client, "k", "field0", "x")).isEqualTo(Status.UNEXPECTED_STATE);
    assertThat(client.scan(TABLE, "k", 1, null, new Vector<>())).isEqualTo(Status.UNEXPECTED_STATE);
    assertThat(insert("k", "field0", "x")).isEqualTo(Status.OK);
  }

  @Test
  void keyOrTableOutsideLimitsIsBadRequest() {
    assertThat(insert("", "field0", "x")).isEqualTo(Status.BAD_REQUEST);
    assertThat(client.read(TABLE, "k".repeat(70_000), null, new HashMap<>()))
        .isEqualTo(Status.BAD_REQUEST);
    assertThat(client.delete("t".repeat(300), "k")).isEqualTo(Status.BAD_REQUEST);
  }

  @Test
  void failingStoreReturnsError() throws DBException {
    client.cleanup();
    properties.setProperty("rlsm.options.failing.method", "put");
    properties.setProperty("rlsm.options.failing.after", "1");
    client.init();

    assertThat(insert("user1", "field0", "x")).isEqualTo(Status.OK);
    assertThat(insert("user2", "field0", "x")).isEqualTo(Status.ERROR);
    assertThat(insert("user3", "field0", "x")).isEqualTo(Status.ERROR);
  }

  @Test
  void unconnectedClientThrows() {
    RlsmClient unconnected = new RlsmClient();

    assertThatThrownBy(() -> unconnected.read(TABLE, "user1", null, new HashMap<>()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("init()");
  }

  @Test
  void cleanupIsIdempotent() throws DBException {
    RlsmClient other = newClient();
    other.cleanup();
    other.cleanup();

    assertThat(insert("user1", "field0", "x")).isEqualTo(Status.OK);
  }

  private RlsmClient newClient() throws DBException {
    RlsmClient made = new RlsmClient();
    made.setProperties(properties);
    made.init();
    clients.add(made);
    return made;
  }

  private Status insert(String key, String... namesAndValues) {
    return client.insert(TABLE, key, values(namesAndValues));
  }

  private static Status update(RlsmClient by, String key, String... namesAndValues) {
    return by.update(TABLE, key, values(namesAndValues));
  }

  private Map<String, String> read(String key, Set<String> fields) {
    return read(client, key, fields);
  }

  private static Map<String, String> read(RlsmClient by, String key, Set<String> fields) {
    Map<String, ByteIterator> result = new HashMap<>();
    assertThat(by.read(TABLE, key, fields, result)).isEqualTo(Status.OK);
    return StringByteIterator.getStringMap(result);
  }

  private List<String> scan(String startKey, int count) {
    Vector<HashMap<String, ByteIterator>> result = new Vector<>();
    String from = startKey.isEmpty() ? "a" : startKey;
    assertThat(client.scan(TABLE, from, count, Set.of("field0"), result)).isEqualTo(Status.OK);
    assertThat(result).allSatisfy(record -> assertThat(record).containsOnlyKeys("field0"));
    return result.stream().map(record -> record.get("field0").toString()).toList();
  }

  private static Map<String, ByteIterator> values(String... namesAndValues) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      values.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return StringByteIterator.getByteIteratorMap(values);
  }
}
