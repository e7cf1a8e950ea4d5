// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ValueAccountTest {

  @Test
  void aScanPaysByTheTimeOfARead() {
    assertThat(ValueAccount.bytes(-5, false)).isZero();
    assertThat(ValueAccount.bytes(0, false)).isZero();
    assertThat(ValueAccount.bytes(2_500, false)).isEqualTo(1 << 10);
    assertThat(ValueAccount.bytes(10_000, false)).isEqualTo(4 << 10);
  }

  @Test
  void aScanPaysHalfForValuesThatWereOrderedBefore() {
    assertThat(ValueAccount.bytes(2_500, true)).isEqualTo(512);
    assertThat(ValueAccount.bytes(10_000, true)).isEqualTo(2 << 10);
    assertThat(ValueAccount.bytes(Long.MAX_VALUE, true)).isEqualTo(64 << 10);
  }

  @Test
  void aPauseDuringAReadIsNotPaid() {
    assertThat(ValueAccount.bytes(159_999, false)).isLessThan(64 << 10);
    assertThat(ValueAccount.bytes(160_000, false)).isEqualTo(64 << 10);
    assertThat(ValueAccount.bytes(Long.MAX_VALUE, false)).isEqualTo(64 << 10);
  }

  @Test
  void withoutFilesNoPaymentIsReported() {
    int[] reports = new int[1];
    ValueAccount account = new ValueAccount(() -> reports[0]++);
    account.changed(List.of(), Long.MAX_VALUE);
    account.pay(1L << 50);
    assertThat(reports[0]).isZero();
    assertThat(account.paid()).isEqualTo(1L << 50);
  }
}
