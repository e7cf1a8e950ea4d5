// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import static io.github.rlsm.kv.TestBytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that null and arguments outside the limits give a clear error and write nothing. */
abstract class ArgumentContract extends ContractFixture {

  @BeforeEach
  void fill() {
    store.put(bytes("a"), bytes("1"));
    store.keyspace("named").put(bytes("b"), bytes("2"));
  }

  /** Runs before the store is closed, because JUnit calls methods of subclasses first. */
  @AfterEach
  void assertNothingWasWritten() {
    assertThat(entries(store)).containsExactly(entry("a", "1"));
    assertThat(store.keyspaceNames()).containsExactly("named");
    assertThat(entries(store.keyspace("named"))).containsExactly(entry("b", "2"));
  }

  private static void assertRefused(
      ApiCall call, Object target, Class<? extends Exception> kind, String part) {
    assertThatThrownBy(() -> call.on(target))
        .as("%s", call)
        .isInstanceOf(kind)
        .hasMessageContaining(part);
  }

  @Test
  void nullIsRefusedByName() {
    try (KvIterator iterator = store.scan();
        Snapshot snapshot = store.snapshot()) {
      iterator.next();
      assertNullsRefused(KvStore.class, store);
      assertNullsRefused(Keyspace.class, store.keyspace("named"));
      assertNullsRefused(KvIterator.class, iterator);
      assertNullsRefused(Snapshot.class, snapshot);
      assertNullsRefused(KvReader.class, snapshot.in(store.keyspace("named")));
    }
  }

  private static void assertNullsRefused(Class<?> type, Object target) {
    for (ApiCall call : ApiCall.all(type)) {
      for (String parameter : call.requiredReferences()) {
        assertRefused(call.with(parameter, null), target, NullPointerException.class, parameter);
      }
    }
  }

  @Test
  void nullAmongTheKeysIsRefused() {
    assertThatThrownBy(() -> store.multiGet(Arrays.asList(bytes("a"), null)))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> store.multiGetBuffers(Arrays.asList((ByteBuffer) null)))
        .isInstanceOf(NullPointerException.class);
  }

  @Test
  void keysOutsideTheLimitsAreRefused() {
    try (Snapshot snapshot = store.snapshot()) {
      for (int length : new int[] {0, KvStore.MAX_KEY_BYTES + 1, 100_000}) {
        assertKeyRefused(KvStore.class, store, length);
        assertKeyRefused(Keyspace.class, store.keyspace("named"), length);
        assertKeyRefused(Snapshot.class, snapshot, length);
        assertKeyRefused(KvReader.class, snapshot.in(store), length);
      }
    }
  }

  private static void assertKeyRefused(Class<?> type, Object target, int length) {
    for (ApiCall call : ApiCall.all(type)) {
      if (call.takes("key") || call.takes("keys")) {
        ApiCall wrong = call.withKey(new byte[length]);
        assertRefused(wrong, target, InvalidEntryException.class, "key of " + length + " bytes");
      }
    }
  }

  @Test
  void oneWrongKeyAmongManyIsRefused() {
    assertThatThrownBy(() -> store.multiGet(List.of(bytes("a"), new byte[0])))
        .isInstanceOf(InvalidEntryException.class);
  }

  @Test
  void slicesOutsideTheirArrayAreRefused() {
    int[][] wrong = {{-1, 1}, {0, -1}, {0, 6}, {1, 5}, {6, 0}, {5, 1}, {Integer.MAX_VALUE, 2}};
    byte[] five = bytes("12345");
    for (int[] slice : wrong) {
      for (ApiCall call : ApiCall.all(KvStore.class)) {
        ApiCall array = call.with("key", five);
        if (call.takes("offset") || call.takes("keyOffset")) {
          ApiCall bad = array
              .with("offset", slice[0])
              .with("keyOffset", slice[0])
              .with("length", slice[1])
              .with("keyLength", slice[1]);
          assertRefused(bad, store, IndexOutOfBoundsException.class, "");
        }
        if (call.takes("valueOffset")) {
          ApiCall bad =
              call.with("value", five).with("valueOffset", slice[0]).with("valueLength", slice[1]);
          assertRefused(bad, store, IndexOutOfBoundsException.class, "");
        }
      }
    }
  }

  @Test
  void valuesThatAreTooLargeAreRefusedUnread() throws IOException {
    ByteBuffer large = largeValue(KvStore.MAX_VALUE_BYTES + 1);
    ByteBuffer key = ByteBuffer.wrap(bytes("key"));
    for (Keyspace keyspace : List.of(store, store.keyspace("named"))) {
      assertThatThrownBy(() -> keyspace.put(key, large)).isInstanceOf(InvalidEntryException.class);
      assertThatThrownBy(() -> keyspace.putIfAbsent(key, large))
          .isInstanceOf(InvalidEntryException.class);
      assertThatThrownBy(() -> keyspace.compareAndSet(key, null, large))
          .isInstanceOf(InvalidEntryException.class)
          .hasMessageContaining(String.valueOf(KvStore.MAX_VALUE_BYTES));
    }
    assertThat(large.position()).isZero();
  }

  /** Maps zeros from a sparse file. They take neither memory nor disk. */
  private ByteBuffer largeValue(int bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(
        temporary.resolve("large"),
        StandardOpenOption.CREATE,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE)) {
      return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
    }
  }

  @Test
  void namesOutsideTheLimitsAreRefused() {
    String longest = "é".repeat(127) + "x";
    for (String name : List.of("", longest + "y", "half a pair \ud83d", "é".repeat(128))) {
      assertThatThrownBy(() -> store.keyspace(name))
          .isInstanceOf(InvalidEntryException.class)
          .hasMessageContaining("name");
    }
    Keyspace named = store.keyspace(longest);
    assertThat(named.name()).isEqualTo(longest);
    store.dropKeyspace(longest);
  }

  @Test
  void negativeLimitsAreRefused() {
    assertThatThrownBy(() -> ScanOptions.builder().limit(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
  }
}
