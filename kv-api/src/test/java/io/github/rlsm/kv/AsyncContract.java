// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import static io.github.rlsm.kv.TestBytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests asynchronous calls. */
abstract class AsyncContract extends ContractFixture {

  private static final byte[] KEY = bytes("key");

  @ParameterizedTest
  @EnumSource
  void writesTakeEffectInTheirOrder(Durability durability) {
    AsyncStore async = store.async();
    assertThat(async.store()).isSameAs(store);
    List<CompletableFuture<byte[]>> reads = new ArrayList<>();
    List<AsyncWrite> writes = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      writes.add(async.put(KEY, bytes("value " + i), durability));
      reads.add(async.get(KEY));
    }
    for (int i = 0; i < 100; i++) {
      assertThat(reads.get(i).join()).isEqualTo(bytes("value " + i));
      writes.get(i).visible().join();
      writes.get(i).durable().join();
    }
    AsyncWrite last = async.put(KEY, bytes("last"), durability);
    assertThat(store.get(KEY)).isEqualTo(bytes("last"));
    async.delete(KEY, durability).durable().join();
    last.durable().join();
    assertThat(async.get(KEY).join()).isNull();
  }

  @ParameterizedTest
  @EnumSource
  void everyKindOfWriteReachesItsKeyspace(Durability durability) {
    AsyncStore async = store.async();
    Keyspace named = store.keyspace("named");
    async.put(named, KEY, bytes("1"), durability).durable().join();
    assertThat(async.get(KEY).join()).isNull();
    assertThat(async.get(named, KEY).join()).isEqualTo(bytes("1"));
    assertThat(
            async.compareAndSet(named, KEY, bytes("1"), bytes("2"), durability).join())
        .isTrue();
    assertThat(async.compareAndSet(named, KEY, bytes("1"), null, durability).join())
        .isFalse();
    WriteBatch batch = new WriteBatch().put(KEY, bytes("3")).delete(named, KEY);
    AsyncWrite written = async.write(batch, durability);
    batch.clear();
    written.visible().join();
    assertThat(entries(store)).containsExactly(entry("key", "3"));
    assertThat(entries(named)).isEmpty();
    written.durable().join();
    async.write(batch, durability).durable().join();
    async.put(named, KEY, bytes("4"), durability).durable().join();
    async.delete(named, KEY, durability).durable().join();
    assertThat(named.get(KEY)).isNull();
  }

  @Test
  void argumentsAreCopied() {
    byte[] key = bytes("key");
    byte[] value = bytes("value");
    AsyncWrite write = store.async().put(key, value, Durability.SYNC);
    key[0]++;
    value[0]++;
    write.durable().join();
    assertThat(entries(store)).containsExactly(entry("key", "value"));
  }

  @Test
  void callbacksMayMakeFurtherCalls() {
    AsyncStore async = store.async();
    List<CompletableFuture<Void>> chains = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      byte[] key = bytes("key " + i);
      chains.add(async
          .put(key, bytes("1"), Durability.SYNC)
          .durable()
          .thenCompose(done -> async.put(key, bytes("2"), Durability.SYNC).durable()));
    }
    chains.forEach(CompletableFuture::join);
    for (int i = 0; i < 200; i++) {
      assertThat(store.get(bytes("key " + i))).isEqualTo(bytes("2"));
    }
  }

  @Test
  void aCompleteWriteCannotBeCancelled() {
    AsyncWrite write = store.async().put(KEY, bytes("value"), Durability.SYNC);
    write.durable().join();
    assertThat(write.durable().cancel(true)).isFalse();
    assertThat(write.visible().cancel(true)).isFalse();
    assertThat(store.get(KEY)).isEqualTo(bytes("value"));
  }

  @Test
  void wrongArgumentsAreRefusedAtOnce() {
    AsyncStore async = store.async();
    byte[] tooLong = new byte[KvStore.MAX_KEY_BYTES + 1];
    assertThatThrownBy(() -> async.put(tooLong, KEY, Durability.OS))
        .isInstanceOf(InvalidEntryException.class);
    assertThatThrownBy(() -> async.get(tooLong)).isInstanceOf(InvalidEntryException.class);
    try (KvStore other = openAnother()) {
      assertThatThrownBy(() -> async.put(other, KEY, KEY, Durability.OS))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("another store");
      assertThatThrownBy(() -> async.get(other.keyspace("named"), KEY))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("named");
    }
    Keyspace dropped = store.keyspace("dropped");
    store.dropKeyspace("dropped");
    assertThatThrownBy(() -> async.delete(dropped, KEY, Durability.OS))
        .isInstanceOf(NoSuchKeyspaceException.class);
  }

  @Test
  void closeEndsEarlierCallsAndRefusesLaterOnes() {
    AsyncStore async = store.async();
    List<AsyncWrite> writes = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      writes.add(async.put(bytes("key " + i), bytes("value"), Durability.SYNC));
    }
    store.close();
    for (AsyncWrite write : writes) {
      write.durable().join();
    }
    assertThatThrownBy(() -> async.get(KEY)).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(() -> async.put(KEY, KEY, Durability.SYNC))
        .isInstanceOf(StoreClosedException.class);
  }

  @Test
  void manyThreadsMayMakeCalls() throws Exception {
    AsyncStore async = store.async();
    Queue<CompletableFuture<Void>> writes = new ConcurrentLinkedQueue<>();
    Workers.run(4, thread -> {
      for (int i = 0; i < 500; i++) {
        byte[] key = bytes("key " + thread + " " + i);
        writes.add(async.put(key, key, durability(i)).durable());
      }
    });
    writes.forEach(CompletableFuture::join);
    for (int thread = 0; thread < 4; thread++) {
      for (int i = 0; i < 500; i++) {
        byte[] key = bytes("key " + thread + " " + i);
        assertThat(store.get(key)).isEqualTo(key);
      }
    }
  }
}
