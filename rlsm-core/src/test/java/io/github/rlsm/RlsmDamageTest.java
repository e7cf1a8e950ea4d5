// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.TestSeed;
import io.github.rlsm.proof.Proof;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Damage to whole files of a closed store: lost tails, empty and missing files, files replaced by
 * other files or by their own earlier versions. Opening, scanning or verifying the store either
 * fails with an error that names the file, or gives the right answer.
 *
 * <p>A manifest cut between two edits is a valid older manifest, like a stale file. It may go
 * unnoticed if no newer file contradicts it. Even then the store must be in one of its earlier
 * states.
 *
 * <p>Short files and the headers of long ones are cut at every byte, the rest at places that the
 * seed chooses. The system property {@code rlsm.t4.places} sets the number of places for each file,
 * {@value #PLACES} by default. {@link RlsmBitRotTest} flips bits.
 */
class RlsmDamageTest {

  private static final int PLACES = 60;
  private static final int PLACES_OF_FILE = Proof.count("t4.places", PLACES);
  private static final int HEAD_BYTES = 96;
  private static final int HEADER_BYTES = 32;
  private static final int RECORD_HEAD_BYTES = 8;
  private static final int FILES_MAX = 5;
  private static final int STEPS = 150;

  private final SplittableRandom random = new SplittableRandom(TestSeed.get());

  private static boolean isManifest(String file) {
    return ClosedStore.type(file) == StoreFileName.Type.MANIFEST;
  }

  private static List<String> someOfEachKind(List<String> files) {
    Map<StoreFileName.Type, Integer> counts = new EnumMap<>(StoreFileName.Type.class);
    return files.stream()
        .filter(file -> counts.merge(ClosedStore.type(file), 1, Integer::sum) <= FILES_MAX)
        .toList();
  }

  private List<Integer> places(int length) {
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < Math.min(length, HEAD_BYTES); i++) {
      places.add(i);
    }
    if (length <= PLACES_OF_FILE) {
      for (int i = HEAD_BYTES; i < length; i++) {
        places.add(i);
      }
      return places;
    }
    for (int i = 0; i < PLACES_OF_FILE; i++) {
      places.add(random.nextInt(HEAD_BYTES, length));
    }
    return places;
  }

  @ParameterizedTest
  @EnumSource(
      value = TinyOptions.class,
      names = {"COPYING", "SEPARATING", "ROOMY"})
  void cutMissingAndSwappedFiles(TinyOptions options) {
    boolean flushed = options != TinyOptions.ROOMY;
    ClosedStore closed = ClosedStore.of(options, STEPS, flushed);
    List<String> files = someOfEachKind(closed.directory().list());
    for (String file : files) {
      byte[] bytes = closed.directory().bytes(file);
      for (int place : places(bytes.length)) {
        cut(closed, file, place);
      }
      for (int edit = isManifest(file) ? nextRecord(bytes, HEADER_BYTES) : bytes.length;
          edit < bytes.length;
          edit = nextRecord(bytes, edit)) {
        cut(closed, file, edit);
      }
      SimulatedDirectory without = closed.directory().afterKill();
      without.delete(file);
      closed.check(without, "missing", file);
      for (String other : files) {
        if (!other.equals(file)) {
          SimulatedDirectory swapped = closed.directory().afterKill();
          swapped.replace(file, closed.directory().bytes(other));
          closed.check(swapped, "replaced by " + other, file);
        }
      }
    }
  }

  private static void cut(ClosedStore closed, String file, int length) {
    SimulatedDirectory damaged = closed.directory().afterKill();
    damaged.truncate(file, length);
    closed.check(damaged, "cut to " + length, isManifest(file), file);
  }

  /** Replaces each file by an earlier version, beside the current versions of the others. */
  @ParameterizedTest
  @EnumSource(
      value = TinyOptions.class,
      names = {"COPYING", "SEPARATING", "ROOMY"})
  void staleFiles(TinyOptions options) {
    ClosedStore closed = ClosedStore.of(options, STEPS, options != TinyOptions.ROOMY);
    int stale = 0;
    for (String file : closed.directory().list()) {
      byte[] last = closed.directory().bytes(file);
      for (SimulatedDirectory earlier : closed.earlier()) {
        if (earlier.list().contains(file) && !Arrays.equals(last, earlier.bytes(file))) {
          SimulatedDirectory damaged = closed.directory().afterKill();
          damaged.replace(file, earlier.bytes(file));
          closed.check(damaged, "as it was earlier", true, file);
          stale++;
        }
      }
    }
    Proof.ran("T4", "stale files", stale);
  }

  /**
   * Flushes reuse the segments of their generations. A manifest that lost one of their edits would
   * start recovery at a place in the log that was overwritten.
   */
  @Test
  void manifestThatLostAnEditIsReported() {
    SimulatedDirectory directory = new SimulatedDirectory();
    RlsmOptions options = RlsmOptions.builder().l0Trigger(100).build();
    RlsmStore store = RlsmStore.open(directory, options, InlineScheduler.environment(1));
    List<Integer> lengths = new ArrayList<>();
    String manifest =
        directory.list().stream().filter(RlsmDamageTest::isManifest).findFirst().orElseThrow();
    for (byte i = 0; i < 6; i++) {
      store.put(new byte[] {i}, new byte[] {i});
      store.flush();
      lengths.add(directory.bytes(manifest).length);
    }
    for (int length : lengths.subList(0, 4)) {
      SimulatedDirectory damaged = directory.afterKill();
      damaged.truncate(manifest, length);
      assertThatThrownBy(() -> RlsmStore.open(damaged, options, InlineScheduler.environment(2)))
          .isInstanceOf(CorruptionException.class)
          .hasMessageContaining(manifest);
    }
    store.close();
  }

  /**
   * The log has keys of a keyspace that the manifest does not know. The store must not drop only
   * some of them.
   */
  @Test
  void manifestThatLostAKeyspaceIsReported() {
    SimulatedDirectory directory = new SimulatedDirectory();
    RlsmOptions options = RlsmOptions.builder().build();
    RlsmStore store = RlsmStore.open(directory, options, InlineScheduler.environment(1));
    String manifest =
        directory.list().stream().filter(RlsmDamageTest::isManifest).findFirst().orElseThrow();
    int before = directory.bytes(manifest).length;
    store.keyspace("lost").put(new byte[] {1}, new byte[] {2});
    SimulatedDirectory damaged = directory.afterKill();
    damaged.truncate(manifest, before);
    assertThatThrownBy(() -> RlsmStore.open(damaged, options, InlineScheduler.environment(2)))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining("keyspace 1");
    store.close();
  }

  /** Returns the end of the manifest's record that begins at an offset. */
  private static int nextRecord(byte[] manifest, int offset) {
    return offset
        + RECORD_HEAD_BYTES
        + ByteBuffer.wrap(manifest).order(ByteOrder.LITTLE_ENDIAN).getInt(offset + 4);
  }
}
