// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.CorruptionException;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@link RlsmStore#verify} of a store whose values lie in the value log. */
class VerifyTest {

  private static final int KEYS = 20;
  private static final int VALUE_BYTES = 300;

  private final RlsmOptions options =
      RlsmOptions.builder().separationThreshold(100).build();
  private final SimulatedDirectory directory = new SimulatedDirectory();

  @BeforeEach
  void write() {
    try (RlsmStore store = RlsmStore.open(directory, options, InlineScheduler.environment(1))) {
      for (byte i = 0; i < KEYS; i++) {
        byte[] value = new byte[VALUE_BYTES];
        Arrays.fill(value, i);
        store.put(new byte[] {i}, value);
      }
      store.settle();
    }
  }

  /** The segment that holds the values: others are prepared for writes to come. */
  private String valueFile() {
    return directory.list().stream()
        .filter(name -> name.startsWith("val-"))
        .filter(name -> indexOf(directory.bytes(name), (byte) 3) >= 0)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void sound() {
    try (RlsmStore store = RlsmStore.open(directory, options, InlineScheduler.environment(2))) {
      store.verify();
    }
  }

  @Test
  void everyDamagedValueIsReported() {
    String file = valueFile();
    byte[] bytes = directory.bytes(file);
    int first = indexOf(bytes, (byte) 3);
    int second = indexOf(bytes, (byte) 9);
    directory.flipBit(file, 8L * first);
    directory.flipBit(file, 8L * second);
    try (RlsmStore store = RlsmStore.open(directory, options, InlineScheduler.environment(2))) {
      CorruptionException found = catchThrowableOfType(CorruptionException.class, store::verify);
      assertThat(found).hasMessageContaining(file);
      assertThat(found.getSuppressed()).hasSize(1);
      assertThat(found.getSuppressed()[0]).hasMessageContaining(file);
    }
  }

  /** Where a value of that content lies, somewhere in its middle; -1 if nowhere. */
  private static int indexOf(byte[] bytes, byte content) {
    int run = 0;
    for (int i = 0; i < bytes.length; i++) {
      run = bytes[i] == content ? run + 1 : 0;
      if (run == VALUE_BYTES / 2) {
        return i;
      }
    }
    return -1;
  }
}
