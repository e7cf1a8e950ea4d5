// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.TestSeed;
import io.github.rlsm.proof.Proof;
import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Flips bits in the files of a closed store. Opening, scanning and verifying the store either fails
 * with an error that names the file, or gives the right answer. One of every {@code rlsm.t4.every}
 * bits of each file is flipped (system property); 1 flips every bit.
 */
class RlsmBitRotTest {

  private static final int STEPS = 24;
  private static final int EVERY = Proof.count("t4.every", 199);

  private final SplittableRandom random = new SplittableRandom(TestSeed.get());

  @ParameterizedTest
  @EnumSource(
      value = TinyOptions.class,
      names = {"COPYING", "SEPARATING", "ZSTD"})
  void storeWithTables(TinyOptions options) {
    Set<StoreFileName.Type> types = flipBits(ClosedStore.of(options, STEPS, true));
    assertThat(types)
        .contains(
            StoreFileName.Type.MANIFEST,
            StoreFileName.Type.TABLE,
            StoreFileName.Type.WRITE_AHEAD_LOG,
            StoreFileName.Type.VALUE_LOG);
  }

  @ParameterizedTest
  @EnumSource(
      value = TinyOptions.class,
      names = {"LINKING", "SKIP_LIST"})
  void storeWithLog(TinyOptions options) {
    Set<StoreFileName.Type> types = flipBits(ClosedStore.of(options, STEPS, false));
    assertThat(types).contains(StoreFileName.Type.MANIFEST, StoreFileName.Type.WRITE_AHEAD_LOG);
  }

  /** Flips bits and returns the kinds of files found. */
  private Set<StoreFileName.Type> flipBits(ClosedStore closed) {
    Set<StoreFileName.Type> types = EnumSet.noneOf(StoreFileName.Type.class);
    long flipped = 0;
    for (String file : closed.directory().list()) {
      types.add(ClosedStore.type(file));
      long bits = (long) Byte.SIZE * closed.directory().bytes(file).length;
      for (long bit = random.nextInt(EVERY); bit < bits; bit += EVERY) {
        SimulatedDirectory damaged = closed.directory().afterKill();
        damaged.flipBit(file, bit);
        closed.check(damaged, "bit " + bit, file);
        flipped++;
      }
    }
    Proof.ran("T4", "flipped bits", flipped);
    return types;
  }
}
