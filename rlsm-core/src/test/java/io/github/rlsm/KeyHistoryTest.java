// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.KeyHistory.Call;
import io.github.rlsm.KeyHistory.Kind;
import org.junit.jupiter.api.Test;

/** Tests the checker with histories that are linearizable, and with others that are not. */
class KeyHistoryTest {

  private static final Call GET = new Call(Kind.GET, 0, 0);
  private static final Call PUT_1 = new Call(Kind.PUT, 0, 1);
  private static final Call PUT_2 = new Call(Kind.PUT, 0, 2);

  private final KeyHistory history = new KeyHistory();

  private void call(Call call, int result) {
    history.end(history.begin(call), result);
  }

  @Test
  void sequentialHistoryIsLinearizable() {
    call(GET, 0);
    call(PUT_1, 0);
    call(GET, 1);
    call(new Call(Kind.COMPARE_AND_SET, 1, 2), 1);
    call(new Call(Kind.COMPARE_AND_SET, 1, 3), 0);
    call(new Call(Kind.PUT_IF_ABSENT, 0, 4), 2);
    call(new Call(Kind.DELETE, 0, 0), 0);
    call(new Call(Kind.PUT_IF_ABSENT, 0, 5), 0);
    call(GET, 5);
    assertThat(history.isLinearizable()).isTrue();
  }

  @Test
  void readDuringAWriteMaySeeEitherValue() {
    int put = history.begin(PUT_1);
    call(GET, 0);
    call(GET, 1);
    history.end(put, 0);
    assertThat(history.isLinearizable()).isTrue();
  }

  @Test
  void readsThatReturnToAnOlderValueAreRejected() {
    int put = history.begin(PUT_1);
    call(GET, 1);
    call(GET, 0);
    history.end(put, 0);
    assertThat(history.isLinearizable()).isFalse();
  }

  @Test
  void readThatMissesAnAcknowledgedWriteIsRejected() {
    call(PUT_1, 0);
    call(GET, 0);
    assertThat(history.isLinearizable()).isFalse();
  }

  @Test
  void concurrentWritesHaveOneOrderForAllReaders() {
    int first = history.begin(PUT_1);
    int second = history.begin(PUT_2);
    history.end(first, 0);
    history.end(second, 0);
    call(GET, 1);
    call(GET, 2);
    assertThat(history.isLinearizable()).isFalse();
  }

  @Test
  void twoCompareAndSetsOfOneValueCannotBothSucceed() {
    int first = history.begin(new Call(Kind.COMPARE_AND_SET, 0, 1));
    int second = history.begin(new Call(Kind.COMPARE_AND_SET, 0, 2));
    history.end(first, 1);
    history.end(second, 1);
    assertThat(history.isLinearizable()).isFalse();
  }

  @Test
  void readOfAnUnwrittenValueIsRejected() {
    call(PUT_1, 0);
    call(GET, 3);
    assertThat(history.isLinearizable()).isFalse();
  }

  @Test
  void historiesOfManyConcurrentCallsAreDecided() {
    int[] puts = new int[12];
    for (int i = 0; i < puts.length; i++) {
      puts[i] = history.begin(new Call(Kind.PUT, 0, i + 1));
    }
    for (int i = puts.length - 1; i >= 0; i--) {
      call(GET, i + 1);
    }
    for (int put : puts) {
      history.end(put, 0);
    }
    assertThat(history.isLinearizable()).isTrue();
    call(GET, 5);
    assertThat(history.isLinearizable()).isFalse();
  }
}
