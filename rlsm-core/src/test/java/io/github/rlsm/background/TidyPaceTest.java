// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.SeqnoRange;
import io.github.rlsm.policy.PartitionShape;
import io.github.rlsm.policy.Plan;
import io.github.rlsm.policy.Plan.Clean.Reason;
import io.github.rlsm.policy.RunShape;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TidyPaceTest {

  private static final PartitionShape PARTITION = new PartitionShape(
      KeyRange.ALL,
      List.of(new RunShape(
          new RunShape.TableFile(1, 10),
          RunShape.span(new byte[] {1}, new byte[] {2}),
          10,
          new RunShape.Counts(1, 0, 0),
          new SeqnoRange(1, 1),
          RunShape.Values.NONE)));

  private long now = Long.MAX_VALUE - 50; // the clock may overflow
  private boolean isRead = true;
  private final TidyPace pace = new TidyPace(() -> now);

  TidyPaceTest() {
    pace.observe(() -> isRead);
  }

  private static Plan clean(Reason reason) {
    Set<Integer> segments =
        reason == Reason.SPACE || reason == Reason.VALUES ? Set.of(1) : Set.of();
    return new Plan.Clean(PARTITION, 0, 1, false, reason, new Plan.Clean.Move(segments, 0, false));
  }

  /** Runs a job for 10 ns. */
  private void job(Reason reason) {
    Runnable end = pace.start(clean(reason));
    now += 10;
    end.run();
  }

  @Test
  void firstJobNeedNotWait() {
    assertThat(pace.update(true)).isFalse();
    assertThat(pace.holdsBack()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(names = {"GARBAGE", "LINKS", "HOLES", "SPACE"})
  void pauseIsThreeTimesAsLongAsTheJob(Reason reason) {
    job(reason);
    now += 29;
    assertThat(pace.update(true)).isTrue();
    assertThat(pace.holdsBack()).isTrue();
    now += 1;
    assertThat(pace.update(true)).isFalse();
    assertThat(pace.holdsBack()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(names = {"RUNS", "SCANS", "VALUES"})
  void noPauseFollowsJobsThatReadersGainBy(Reason reason) {
    job(reason);
    assertThat(pace.update(true)).isFalse();
  }

  @Test
  void jobsDoNotOverlapWhileClientsRead() {
    Runnable end = pace.start(clean(Reason.SPACE));
    now += 1_000;
    assertThat(pace.update(true)).isTrue();
    isRead = false;
    assertThat(pace.update(true)).isFalse();
    Runnable other = pace.start(clean(Reason.SPACE));
    isRead = true;
    end.run();
    now += 1_000_000;
    assertThat(pace.update(true)).isTrue();
    other.run();
    now += 1_000_000_000;
    assertThat(pace.update(true)).isFalse();
  }

  @Test
  void nothingWaitsIfNobodyReadsOrTheStoreIsWrittenTo() {
    job(Reason.SPACE);
    assertThat(pace.update(false)).isFalse();
    isRead = false;
    assertThat(pace.update(true)).isFalse();
  }

  @Test
  void callerOfSettleGetsAllWorkAtOnce() {
    job(Reason.GARBAGE);
    pace.withoutPauses(() -> assertThat(pace.update(true)).isFalse());
    assertThat(pace.update(true)).isTrue();
  }
}
