// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import static io.github.rlsm.kv.TestBytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriteBatchTest {

  /** Returns the operations of a batch as texts. */
  private static List<String> operations(WriteBatch batch) {
    List<String> seen = new ArrayList<>();
    batch.forEach(new WriteBatch.Visitor() {
      @Override
      public void put(
          @Nullable Keyspace keyspace,
          byte[] bytes,
          int keyOffset,
          int keyLength,
          int valueOffset,
          int valueLength) {
        seen.add("put " + name(keyspace) + text(bytes, keyOffset, keyLength) + "="
            + text(bytes, valueOffset, valueLength));
      }

      @Override
      public void delete(@Nullable Keyspace keyspace, byte[] bytes, int keyOffset, int keyLength) {
        seen.add("delete " + name(keyspace) + text(bytes, keyOffset, keyLength));
      }
    });
    return seen;
  }

  private static String name(@Nullable Keyspace keyspace) {
    return keyspace == null ? "" : keyspace.name() + "/";
  }

  private static String text(byte[] bytes, int offset, int length) {
    return new String(bytes, offset, length, java.nio.charset.StandardCharsets.UTF_8);
  }

  @Test
  void forEachVisitsOperationsInTheirOrder() {
    Keyspace named = new ModelStore().keyspace("named");
    WriteBatch batch = new WriteBatch()
        .put(bytes("a"), bytes("1"))
        .delete(bytes("b"))
        .put(named, bytes("c"), new byte[0])
        .delete(named, bytes("d"))
        .put((Keyspace) null, bytes("e"), bytes("2"));
    assertThat(operations(batch))
        .containsExactly("put a=1", "delete b", "put named/c=", "delete named/d", "put e=2");
    assertThat(batch.count()).isEqualTo(5);
    assertThat(batch.byteCount()).isEqualTo(7);
    assertThat(batch.isEmpty()).isFalse();
  }

  @Test
  void batchIsEmptyAtFirstAndAfterClear() {
    Keyspace named = new ModelStore().keyspace("named");
    WriteBatch batch = new WriteBatch();
    for (int round = 0; round < 3; round++) {
      assertThat(batch.isEmpty()).isTrue();
      assertThat(batch.count()).isZero();
      assertThat(batch.byteCount()).isZero();
      assertThat(operations(batch)).isEmpty();
      batch.put(bytes("a"), bytes("1")).put(named, bytes("b"), bytes("2"));
      assertThat(operations(batch)).containsExactly("put a=1", "put named/b=2");
      batch.clear();
    }
  }

  /** A keyspace named after any number of operations belongs only to its own operation. */
  @Test
  void keyspacesStayWithTheirOperations() {
    Keyspace named = new ModelStore().keyspace("named");
    for (int before = 0; before < 70; before++) {
      WriteBatch batch = new WriteBatch();
      for (int i = 0; i < before; i++) {
        batch.put(bytes("k"), bytes("v"));
      }
      batch.put(named, bytes("k"), bytes("v"));
      for (int i = 0; i < 70; i++) {
        batch.delete(bytes("k"));
      }
      List<String> expected = new ArrayList<>();
      expected.addAll(Collections.nCopies(before, "put k=v"));
      expected.add("put named/k=v");
      expected.addAll(Collections.nCopies(70, "delete k"));
      assertThat(operations(batch)).isEqualTo(expected);
    }
  }

  @Test
  void batchGrowsBeyondItsInitialCapacity() {
    WriteBatch batch = new WriteBatch();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      String value = "x".repeat(i % 50);
      batch.put(bytes("key " + i), bytes(value));
      expected.add("put key " + i + "=" + value);
    }
    assertThat(operations(batch)).isEqualTo(expected);
    batch.put(bytes("large"), new byte[10 << 20]);
    assertThat(batch.byteCount()).isGreaterThan(10 << 20);
    assertThat(operations(batch)).hasSize(5_001).startsWith(expected.get(0), expected.get(1));
  }

  @Test
  void slicesAndBuffersAreCopied() {
    byte[] array = bytes("..keyvalue..");
    ByteBuffer key = BufferForm.DIRECT_IN_THE_MIDDLE.of(bytes("key"));
    ByteBuffer value = BufferForm.HEAP_READ_ONLY.of(bytes("value"));
    WriteBatch batch = new WriteBatch()
        .put(array, 2, 3, array, 5, 5)
        .delete(array, 2, 3)
        .put(key, value)
        .delete(key);
    Arrays.fill(array, (byte) 'x');
    key.put(key.position(), (byte) 'x');
    assertThat(operations(batch))
        .containsExactly("put key=value", "delete key", "put key=value", "delete key");
    assertThat(key.remaining()).isEqualTo(3);
    assertThat(value.remaining()).isEqualTo(5);
  }

  @Test
  void refusedOperationLeavesTheBatchUnchanged() {
    WriteBatch batch = new WriteBatch().put(bytes("a"), bytes("1"));
    byte[] longKey = new byte[KvStore.MAX_KEY_BYTES + 1];
    ByteBuffer longBuffer = ByteBuffer.wrap(longKey);
    ByteBuffer none = ByteBuffer.allocate(0);
    assertRefused(() -> batch.put(new byte[0], bytes("1")));
    assertRefused(() -> batch.put(longKey, bytes("1")));
    assertRefused(() -> batch.delete(new byte[0]));
    assertRefused(() -> batch.delete(longKey));
    assertRefused(() -> batch.put(none, none));
    assertRefused(() -> batch.put(longBuffer, none));
    assertRefused(() -> batch.delete(none));
    assertRefused(() -> batch.delete(longBuffer));
    assertThatThrownBy(() -> batch.put(longKey, 0, 1, longKey, 5, longKey.length))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> batch.delete(longKey, -1, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(operations(batch)).containsExactly("put a=1");
    assertThat(batch.byteCount()).isEqualTo(2);
  }

  private static void assertRefused(Runnable add) {
    assertThatThrownBy(add::run).isInstanceOf(InvalidEntryException.class);
  }

  @Test
  void nullIsRefusedByName() {
    for (ApiCall call : ApiCall.all(WriteBatch.class)) {
      for (String parameter : call.requiredReferences()) {
        assertThatThrownBy(() -> call.with(parameter, null).on(new WriteBatch()))
            .as("%s", call)
            .isInstanceOf(NullPointerException.class)
            .hasMessageContaining(parameter);
      }
    }
  }

  @Test
  void batchBytesAreLimited(@TempDir Path directory) throws IOException {
    WriteBatch batch = new WriteBatch().put(bytes("a"), bytes("1"));
    ByteBuffer largest = untouchedZeros(directory, KvStore.MAX_VALUE_BYTES);
    assertThatThrownBy(() -> batch.put(ByteBuffer.wrap(bytes("key")), largest))
        .isInstanceOf(InvalidEntryException.class)
        .hasMessageContaining("batch")
        .hasMessageContaining(String.valueOf(KvStore.MAX_VALUE_BYTES));
    assertThat(operations(batch)).containsExactly("put a=1");
  }

  /** Maps zeros that take neither memory nor disk as long as they are not read. */
  private static ByteBuffer untouchedZeros(Path directory, int length) throws IOException {
    try (FileChannel channel = FileChannel.open(
        directory.resolve("zeros"),
        StandardOpenOption.CREATE,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE)) {
      return channel.map(FileChannel.MapMode.READ_WRITE, 0, length);
    }
  }
}
