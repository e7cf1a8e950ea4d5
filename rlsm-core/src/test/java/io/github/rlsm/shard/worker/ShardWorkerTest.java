// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.NoSuchKeyspaceException;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.kv.StoreFailedException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how a worker serves the requests in its queue. */
class ShardWorkerTest {

  private final RecordingStore store = new RecordingStore();
  private final ShardWorker worker =
      new ShardWorker(store, new ShardSettings(256, 32, 1_000, 0, 64, 8), new Health());
  private final List<Request> requests = new ArrayList<>();

  private Request.Write put(Keyspace keyspace, int key, int valueBytes, Durability durability) {
    return submitted(new Request.Write(keyspace, durability)
        .key(new byte[] {(byte) key}, 0, 1)
        .value(new byte[valueBytes], 0, valueBytes));
  }

  private Request.Read get(int key) {
    return submitted(new Request.Read(store, new byte[] {(byte) key}, 0, 1));
  }

  private <T extends Request> T submitted(T request) {
    requests.add(request);
    worker.submit(request);
    return request;
  }

  /** Serves the waiting requests and ends, all in this thread. */
  private void serve() {
    worker.submit(worker.stopping(0, new ShardWorker.ShutdownBarrier(List.of())));
    worker.run();
  }

  @Test
  void neighbouringWritesBecomeBatchesOfAtMost32() {
    for (int i = 0; i < 70; i++) {
      put(store, i, 1, i == 40 ? Durability.SYNC : Durability.BUFFERED);
    }
    serve();
    assertThat(store.calls())
        .containsExactly("write 32 BUFFERED", "write 32 SYNC", "write 6 BUFFERED");
    requests.forEach(Request::await);
    BatchSizes sizes = worker.sizes();
    assertThat(sizes.writes()).hasSize(33).endsWith(2L);
    assertThat(sizes.writes().get(6)).isEqualTo(1);
    assertThat(sizes.others()).isEqualTo(1);
    assertThat(BatchSizes.average(sizes.writes())).isEqualTo(70 / 3.0);
    assertThat(BatchSizes.average(sizes.reads())).isZero();
  }

  @Test
  void onlyNeighboursOfOneKindAreServedAsOne() {
    put(store, 1, 1, Durability.OS);
    put(store, 2, 1, Durability.OS);
    get(1);
    put(store, 1, 2, Durability.OS);
    Request.Read first = get(1);
    Request.Read second = get(9);
    submitted(new Request.Call<>(Request.Access.READS, shard -> true));
    Request.Read third = get(2);
    serve();
    assertThat(store.calls()).containsExactly("write 2 OS", "get", "put", "multiGet 2", "get");
    assertThat(first.value()).hasSize(2);
    assertThat(second.value()).isNull();
    assertThat(third.value()).hasSize(1);
  }

  @Test
  void aBatchTakesNoMoreThanItsBytes() {
    put(store, 1, 600, Durability.OS);
    put(store, 2, 600, Durability.OS);
    put(store, 3, 300, Durability.OS);
    put(store, 4, 5_000, Durability.OS);
    serve();
    assertThat(store.calls()).containsExactly("put", "write 2 OS", "put");
  }

  @Test
  void aDroppedKeyspaceFailsOnlyItsOwnWrites() {
    Keyspace doomed = store.keyspace("doomed");
    Request.Write before = put(store, 1, 1, Durability.OS);
    Request.Write inDoomed = put(doomed, 2, 1, Durability.OS);
    Request.Write after = put(store, 3, 1, Durability.OS);
    store.dropKeyspace("doomed");
    Request.Read read = get(3);
    serve();
    before.await();
    after.await();
    assertThatThrownBy(inDoomed::await).isInstanceOf(NoSuchKeyspaceException.class);
    assertThat(read.value()).hasSize(1);
  }

  @Test
  void aKeyThatCannotBeReadFailsOnlyItself() {
    put(store, 1, 1, Durability.OS);
    Request.Read read = get(1);
    get(13);
    serve();
    assertThat(store.calls()).containsExactly("put", "multiGet 2", "get", "get");
    assertThat(read.value()).hasSize(1);
  }

  @Test
  void aFailedBatchFailsAllItsWritesAndNoMore() {
    IllegalStateException cause = new IllegalStateException("mine");
    store.failWith(cause);
    Request.Write first = put(store, 1, 1, Durability.OS);
    Request.Write second = put(store, 2, 1, Durability.OS);
    Request.Read read = get(1);
    serve();
    assertThatThrownBy(first::await).isSameAs(cause);
    assertThatThrownBy(second::await).isSameAs(cause);
    assertThat(read.value()).isNull();
  }

  @Test
  void aWorkerThatDiesFailsItsRequestsAndLaterOnes() {
    store.failWith(new AssertionError("broken"));
    Request.Read before = get(1);
    Request.Write deadly = put(store, 1, 1, Durability.OS);
    Request.Read waiting = get(1);
    assertThatThrownBy(worker::run).hasMessage("broken");
    assertThat(before.value()).isNull();
    for (Request request : List.of(deadly, waiting, get(2))) {
      assertThatThrownBy(request::await)
          .isInstanceOf(StoreFailedException.class)
          .hasMessageContaining("broken");
    }
  }

  /** A worker that died would make the shard unusable until the store is opened again. */
  @ParameterizedTest
  @ValueSource(classes = {OutOfMemoryError.class, StackOverflowError.class})
  void aLackOfMemoryFailsTheRequestsOfOneGroup(Class<? extends Error> kind) throws Exception {
    Error lack = kind.getConstructor().newInstance();
    store.failWith(lack);
    Request.Write first = put(store, 1, 1, Durability.OS);
    Request.Write second = put(store, 2, 1, Durability.OS);
    Request.Read read = get(1);
    submitted(new Request.Call<>(Request.Access.WRITES, shard -> {
      store.failWith(null);
      return true;
    }));
    Request.Write later = put(store, 1, 3, Durability.OS);
    Request.Read again = get(1);
    assertThatCode(this::serve).doesNotThrowAnyException();
    assertThatThrownBy(first::await).isSameAs(lack);
    assertThatThrownBy(second::await).isSameAs(lack);
    assertThat(read.value()).isNull();
    later.await();
    assertThat(again.value()).hasSize(3);
  }

  @Test
  void requestsAfterTheEndAreRefused() {
    serve();
    assertThatThrownBy(get(1)::value).isInstanceOf(StoreClosedException.class);
  }
}
