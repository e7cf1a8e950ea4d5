// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReusedTest {

  private final AtomicInteger created = new AtomicInteger();

  private Reused<Integer> objects(boolean isVirtual) {
    return new Reused<>(created::incrementAndGet, () -> isVirtual);
  }

  private static <T> T inOtherThread(Callable<T> call) throws Exception {
    FutureTask<T> task = new FutureTask<>(call);
    Thread thread = new Thread(task);
    thread.start();
    thread.join();
    return task.get();
  }

  @Test
  void platformThreadKeepsItsObject() throws Exception {
    Reused<Integer> objects = objects(false);
    Integer first = objects.take();
    objects.giveBack(first);

    assertThat(objects.take()).isSameAs(first);
    assertThat(inOtherThread(objects::take)).isEqualTo(2);
    assertThat(created).hasValue(2);
  }

  @Test
  void takenObjectIsNotTakenAgain() {
    for (boolean isVirtual : new boolean[] {false, true}) {
      Reused<Integer> objects = objects(isVirtual);
      Integer outer = objects.take();
      Integer inner = objects.take();

      assertThat(inner).isNotEqualTo(outer);
      objects.giveBack(inner);
      assertThat(objects.take()).isSameAs(inner);
    }
  }

  @Test
  void virtualThreadsShareObjects() throws Exception {
    Reused<Integer> objects = objects(true);
    Integer first = objects.take();
    objects.giveBack(first);

    assertThat(inOtherThread(objects::take)).isSameAs(first);
  }

  @Test
  void virtualThreadsKeepOnlyAFewObjects() {
    Reused<Integer> objects = objects(true);
    List<Integer> taken = new ArrayList<>();
    for (int i = 0; i < 3 * Reused.SHARED_MAX; i++) {
      taken.add(objects.take());
    }
    taken.forEach(objects::giveBack);
    for (int i = 0; i < Reused.SHARED_MAX; i++) {
      assertThat(objects.take()).isLessThanOrEqualTo(3 * Reused.SHARED_MAX);
    }

    assertThat(objects.take()).isEqualTo(3 * Reused.SHARED_MAX + 1);
  }

  @Test
  void callInPlatformThreadIsRecognized() {
    Reused<Integer> objects = new Reused<>(created::incrementAndGet);
    Integer first = objects.take();
    objects.giveBack(first);

    assertThat(objects.take()).isSameAs(first);
  }
}
