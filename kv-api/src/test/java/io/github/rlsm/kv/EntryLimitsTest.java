// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import static io.github.rlsm.kv.TestBytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntryLimitsTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, KvStore.MAX_KEY_BYTES})
  void legalKeysPass(int length) {
    assertThatCode(() -> EntryLimits.checkKey(new byte[length], 0, length))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, KvStore.MAX_KEY_BYTES + 1, 1 << 20})
  void otherKeysAreRefused(int length) {
    assertThatThrownBy(() -> EntryLimits.checkKey(new byte[length], 0, length))
        .isInstanceOf(InvalidEntryException.class)
        .hasMessage("a key of " + length + " bytes; the length must be 1 to 65527");
  }

  @Test
  void valuesHaveALargestLength() {
    EntryLimits.checkValue(new byte[0], 0, 0);
    EntryLimits.checkValueLength(KvStore.MAX_VALUE_BYTES);
    for (int length : new int[] {-1, KvStore.MAX_VALUE_BYTES + 1, Integer.MAX_VALUE}) {
      assertThatThrownBy(() -> EntryLimits.checkValueLength(length))
          .isInstanceOf(InvalidEntryException.class)
          .hasMessage("a value of " + length + " bytes; the length must be 0 to 536870912");
    }
  }

  @Test
  void slicesLieInTheirArray() {
    byte[] array = new byte[10];
    EntryLimits.checkKey(array, 9, 1);
    EntryLimits.checkValue(array, 10, 0);
    for (int[] slice : new int[][] {{-1, 1}, {0, 11}, {10, 1}, {5, -1}, {1, Integer.MAX_VALUE}}) {
      assertThatThrownBy(() -> EntryLimits.checkKey(array, slice[0], slice[1]))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> EntryLimits.checkValue(array, slice[0], slice[1]))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void keyspaceNamesAreCountedInUtf8() {
    assertThat(EntryLimits.checkKeyspaceName("é")).isEqualTo(bytes("é")).hasSize(2);
    assertThat(EntryLimits.checkKeyspaceName("x".repeat(255))).hasSize(255);
    for (String name : new String[] {"", "x".repeat(256), "é".repeat(128), "\ud83d"}) {
      assertThatThrownBy(() -> EntryLimits.checkKeyspaceName(name))
          .isInstanceOf(InvalidEntryException.class)
          .hasMessageContaining("keyspace name");
    }
  }

  @Test
  void wholeArraysAreCheckedAsSlicesAre() {
    byte[] key = new byte[1];
    EntryLimits.checkKeys(List.of(key, new byte[2]));
    EntryLimits.checkValue(new byte[0]);
    EntryLimits.checkValueOrNull(null);
    byte[] empty = new byte[0];
    assertThatThrownBy(() -> EntryLimits.checkKey(empty)).isInstanceOf(InvalidEntryException.class);
    assertThatThrownBy(() -> EntryLimits.checkKeys(List.of(key, empty)))
        .isInstanceOf(InvalidEntryException.class);
    assertThatThrownBy(() -> EntryLimits.checkKey(null)).hasMessage("key");
    assertThatThrownBy(() -> EntryLimits.checkKeys(null)).hasMessage("keys");
    assertThatThrownBy(() -> EntryLimits.checkValue(null)).hasMessage("value");
  }
}
