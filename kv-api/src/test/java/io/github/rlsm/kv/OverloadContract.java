// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import static io.github.rlsm.kv.TestBytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests all forms of input and output: slices of arrays, and buffers of every kind. */
abstract class OverloadContract extends ContractFixture {

  private static final byte[] KEY = bytes("key");
  private static final byte[] AROUND = bytes("..key--value..");

  @ParameterizedTest
  @EnumSource
  void buffersOfEveryFormGoIn(BufferForm form) {
    ByteBuffer key = form.of(KEY);
    store.put(key, form.of(bytes("1")));
    assertThat(store.get(key)).isEqualTo(bytes("1"));
    assertThat(store.contains(key)).isTrue();
    store.put(key, form.of(bytes("2")), Durability.BUFFERED);
    assertThat(store.multiGetBuffers(List.of(key, form.of(bytes("none")))).stream()
            .map(TestBytes::show))
        .containsExactly(TestBytes.show(bytes("2")), "null");
    assertThat(store.putIfAbsent(key, form.of(bytes("3")))).isEqualTo(bytes("2"));
    assertThat(store.putIfAbsent(key, form.of(bytes("3")), Durability.OS)).isEqualTo(bytes("2"));
    assertThat(store.compareAndSet(key, form.of(bytes("2")), form.of(bytes("4"))))
        .isTrue();
    assertThat(store.compareAndSet(key, form.of(bytes("4")), null, Durability.OS))
        .isTrue();
    assertThat(store.contains(key)).isFalse();
    assertThat(store.putIfAbsent(key, form.of(new byte[0]))).isNull();
    assertThat(store.get(key)).isNotNull().isEmpty();
    store.delete(key);
    store.delete(key, Durability.SYNC);
    assertThat(entries(store)).isEmpty();
    assertUntouched(key);
  }

  @ParameterizedTest
  @EnumSource
  void positionsOfInputsStayWhereTheyWere(BufferForm form) {
    ByteBuffer key = form.of(KEY);
    ByteBuffer value = form.of(bytes("value"));
    ByteBuffer before = value.duplicate();
    store.put(key, value);
    store.compareAndSet(key, value, value);
    store.putIfAbsent(key, value);
    store.write(new WriteBatch().put(key, value).put(store, key, value).delete(key));
    store.scan(ScanOptions.builder().from(key).to(key).prefix(key).build()).close();
    assertThat(value).isEqualTo(before);
    assertUntouched(key);
  }

  @ParameterizedTest
  @EnumSource
  void buffersThatGoInAreNotKept(BufferForm form) {
    ByteBuffer key = form.of(KEY);
    ByteBuffer value = form.of(bytes("value"));
    store.put(key, value);
    if (!key.isReadOnly()) {
      key.put(key.position(), (byte) 'x');
      value.put(value.position(), (byte) 'x');
    }
    assertThat(entries(store)).containsExactly(entry("key", "value"));
  }

  @ParameterizedTest
  @EnumSource
  void buffersGoIntoBatchesAndScans(BufferForm form) {
    Keyspace named = store.keyspace("named");
    store.write(new WriteBatch()
        .put(form.of(KEY), form.of(bytes("1")))
        .put(named, form.of(KEY), form.of(bytes("2")))
        .put(named, form.of(bytes("gone")), form.of(bytes("3")))
        .put(form.of(bytes("gone")), form.of(bytes("4")))
        .delete(named, form.of(bytes("gone")))
        .delete(form.of(bytes("gone"))));
    assertThat(entries(store)).containsExactly(entry("key", "1"));
    assertThat(entries(named)).containsExactly(entry("key", "2"));
    assertThat(entries(store, ScanOptions.prefix(form.of(bytes("k"))))).hasSize(1);
    assertThat(entries(store, ScanOptions.range(form.of(bytes("a")), form.of(KEY))))
        .isEmpty();
    assertThat(entries(store, ScanOptions.range(form.of(KEY), form.of(bytes("l")))))
        .hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void valuesAreCopiedIntoBuffers(BufferForm form) {
    store.put(KEY, bytes("value"));
    if (form.of(KEY).isReadOnly()) {
      return;
    }
    ByteBuffer roomy = form.room(8);
    int start = roomy.position();
    assertThat(store.get(form.of(KEY), roomy)).isEqualTo(5);
    assertThat(roomy.position()).isEqualTo(start + 5);
    assertThat(content(roomy.duplicate().flip().position(start))).isEqualTo(bytes("value"));

    assertThat(store.get(KEY, roomy)).as("full length, but 3 bytes fit").isEqualTo(5);
    assertThat(roomy.hasRemaining()).isFalse();
    assertThat(content(roomy.duplicate().position(start + 5))).isEqualTo(bytes("val"));
    assertThat(store.get(AROUND, 2, 3, roomy))
        .as("full length, but no byte fits")
        .isEqualTo(5);

    ByteBuffer exact = form.room(5);
    assertThat(store.get(AROUND, 2, 3, exact)).isEqualTo(5);
    assertThat(exact.hasRemaining()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void theDestinationIsLeftAloneWhenTheKeyIsAbsent(BufferForm form) {
    ByteBuffer destination = form.room(8);
    ByteBuffer before = destination.duplicate();
    assertThat(store.get(form.of(KEY), destination)).isEqualTo(KvReader.NOT_FOUND);
    assertThat(store.get(KEY, destination)).isEqualTo(KvReader.NOT_FOUND);
    assertThat(store.get(AROUND, 2, 3, destination)).isEqualTo(KvReader.NOT_FOUND);
    assertThat(destination).isEqualTo(before);
    store.put(KEY, new byte[0]);
    assertThat(store.get(form.of(KEY), destination)).as("empty is not absent").isZero();
    assertThat(destination).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  void iteratorsCopyIntoBuffers(BufferForm form) {
    store.put(KEY, bytes("value"));
    try (KvIterator iterator = store.scan()) {
      iterator.next();
      ByteBuffer destination = form.room(10);
      int start = destination.position();
      assertThat(iterator.key(destination)).isEqualTo(3);
      assertThat(iterator.value(destination)).isEqualTo(5);
      assertThat(iterator.value(destination)).as("full length, but 2 bytes fit").isEqualTo(5);
      assertThat(content(destination.flip().position(start))).isEqualTo(bytes("keyvalueva"));
    }
  }

  @Test
  void slicesGoIn() {
    store.put(AROUND, 2, 3, AROUND, 7, 5);
    store.put(AROUND, 0, 2, AROUND, 14, 0, Durability.BUFFERED);
    assertThat(entries(store)).containsExactly(entry("..", ""), entry("key", "value"));
    assertThat(store.get(AROUND, 2, 3)).isEqualTo(bytes("value"));
    assertThat(store.contains(AROUND, 2, 3)).isTrue();
    assertThat(store.contains(AROUND, 2, 4)).isFalse();
    assertThat(store.putIfAbsent(AROUND, 2, 3, AROUND, 0, 1)).isEqualTo(bytes("value"));
    assertThat(store.putIfAbsent(AROUND, 3, 2, AROUND, 7, 5, Durability.OS)).isNull();
    store.delete(AROUND, 0, 2);
    store.delete(AROUND, 2, 3, Durability.OS);
    assertThat(entries(store)).containsExactly(entry("ey", "value"));
  }

  @Test
  void slicesGoIntoBatchesAndScans() {
    Keyspace named = store.keyspace("named");
    store.write(new WriteBatch()
        .put(AROUND, 2, 3, AROUND, 7, 5)
        .put(AROUND, 0, 2, AROUND, 0, 0)
        .put(named, AROUND, 2, 3, AROUND, 5, 2)
        .put(named, AROUND, 0, 2, AROUND, 0, 1)
        .delete(AROUND, 0, 2)
        .delete(named, AROUND, 0, 2));
    assertThat(entries(store)).containsExactly(entry("key", "value"));
    assertThat(entries(named)).containsExactly(entry("key", "--"));
    ScanOptions options = ScanOptions.builder()
        .from(AROUND, 2, 1)
        .to(AROUND, 7, 1)
        .prefix(AROUND, 2, 2)
        .build();
    assertThat(entries(store, options)).hasSize(1);
  }

  private static void assertUntouched(ByteBuffer key) {
    assertThat(content(key.duplicate())).isEqualTo(KEY);
  }

  private static byte[] content(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }
}
