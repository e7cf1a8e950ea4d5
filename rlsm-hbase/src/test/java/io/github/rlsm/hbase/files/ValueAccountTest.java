// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ValueAccountTest {

  @Test
  void aScanPaysByTheTimeOfARead() {
    assertThat(ValueAccount.bytes(-5)).isZero();
    assertThat(ValueAccount.bytes(0)).isZero();
    assertThat(ValueAccount.bytes(2_500)).isEqualTo(512);
    assertThat(ValueAccount.bytes(10_000)).isEqualTo(2 << 10);
  }

  @Test
  void aPauseDuringAReadIsNotPaid() {
    assertThat(ValueAccount.bytes(319_999)).isLessThan(64 << 10);
    assertThat(ValueAccount.bytes(320_000)).isEqualTo(64 << 10);
    assertThat(ValueAccount.bytes(Long.MAX_VALUE)).isEqualTo(64 << 10);
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
