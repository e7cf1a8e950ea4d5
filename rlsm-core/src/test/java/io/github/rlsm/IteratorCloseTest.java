// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.thread.Environment;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Closes an iterator from another thread in the middle of a call. */
class IteratorCloseTest {

  private static final int KEYS = 20;

  private final SimulatedDirectory directory = new SimulatedDirectory();

  /** Runs once when the store reads the clock, which a scan does while it reads values. */
  private Runnable onClock = () -> {};

  private long clock() {
    Runnable now = onClock;
    onClock = () -> {};
    now.run();
    return 0;
  }

  @Test
  void filesStayUntilTheCallThatReadsThemEnds() {
    RlsmStore store = RlsmStore.open(
        directory,
        RlsmOptions.builder().separationThreshold(100).build(),
        new Environment(this::clock, new SplittableRandom(1), new InlineScheduler()));
    write(store, (byte) 1);
    store.settle();
    List<String> files = tables();
    KvIterator iterator = store.scan();
    write(store, (byte) 2);
    store.settle();
    assertThat(directory.list()).as("files while the iterator is open").containsAll(files);
    boolean[] stayed = new boolean[1];
    onClock = () -> {
      Thread other = new Thread(iterator::close);
      other.start();
      join(other);
      stayed[0] = directory.list().containsAll(files);
    };
    assertThat(iterator.next()).isTrue();
    assertThat(stayed[0]).as("files stay while next() reads them").isTrue();
    assertThat(directory.list()).as("files after the close").doesNotContainAnyElementsOf(files);
    assertThatThrownBy(iterator::next).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(iterator::key).isInstanceOf(StoreClosedException.class);
    store.close();
  }

  private List<String> tables() {
    return directory.list().stream().filter(name -> name.startsWith("tab-")).toList();
  }

  private static void write(RlsmStore store, byte content) {
    for (byte i = 0; i < KEYS; i++) {
      byte[] value = new byte[200];
      value[0] = content;
      store.put(new byte[] {i}, value);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
