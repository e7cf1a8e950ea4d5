// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.CrashModel.Expected;
import io.github.rlsm.CrashRun.Sampler;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.kv.TestSeed;
import io.github.rlsm.proof.Proof;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Damage to the files of a closed store: flipped bits, lost tails, empty and missing files, and
 * files in the place of others. Opening, scanning or checking it either fails with an error that
 * names the file, or gives the right answer. A manifest that was cut between two edits since the
 * last segment of the log was begun is an older one, and the only damage here that may go
 * unnoticed; also then it must be a state that the store was in.
 *
 * <p>Short files and the heads of long ones are damaged at every byte, the rest in places that the
 * seed chooses. The system property {@code rlsm.t4.places} says in how many places of each file,
 * {@value #PLACES} unless it is set. If a file has no more bytes than that, all its bits are
 * damaged.
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

  /** A closed store, and what is in it. */
  private record Closed(SimulatedDirectory directory, RlsmOptions options, Expected expected) {}

  private static Closed closed(TinyOptions options, boolean flushed) {
    SimulatedDirectory directory = new SimulatedDirectory();
    CrashRun run = new CrashRun(
        directory, options.options(), UnaryOperator.identity(), Sampler.NONE, 1, "undamaged");
    SplittableRandom steps = new SplittableRandom(options.ordinal());
    for (CrashStep step : CrashStep.random(steps, STEPS)) {
      if (step.kind() != CrashStep.Kind.KILL && step.kind() != CrashStep.Kind.POWER_LOSS) {
        run.run(step);
      }
    }
    if (flushed) {
      run.store().settle();
    }
    run.close();
    return new Closed(directory, options.options(), run.model().afterPowerLoss());
  }

  private static boolean isManifest(String file) {
    return StoreFileName.parse(file)
        .filter(name -> name.type() == StoreFileName.Type.MANIFEST)
        .isPresent();
  }

  @ParameterizedTest
  @EnumSource(
      value = TinyOptions.class,
      names = {"COPYING", "SEPARATING", "ZSTD"})
  void flippedBitsOfAFlushedStore(TinyOptions options) {
    flipBits(closed(options, true));
  }

  @ParameterizedTest
  @EnumSource(
      value = TinyOptions.class,
      names = {"LINKING", "ROOMY"})
  void flippedBitsOfAStoreWithALog(TinyOptions options) {
    flipBits(closed(options, false));
  }

  private void flipBits(Closed closed) {
    long flipped = 0;
    for (String file : someOfEachKind(closed.directory.list())) {
      int length = closed.directory.bytes(file).length;
      boolean isWhole = length <= PLACES_OF_FILE;
      for (int place : places(length)) {
        int first = isWhole ? 0 : random.nextInt(Byte.SIZE);
        int last = isWhole ? Byte.SIZE - 1 : first;
        for (int bit = first; bit <= last; bit++) {
          SimulatedDirectory damaged = closed.directory.afterKill();
          damaged.flipBit(file, (long) Byte.SIZE * place + bit);
          check(closed, damaged, file, "bit " + bit + " flipped in byte " + place);
          flipped++;
        }
      }
    }
    Proof.ran("T4", "flipped bits", flipped);
  }

  private static List<String> someOfEachKind(List<String> files) {
    Map<StoreFileName.Type, Integer> counts = new EnumMap<>(StoreFileName.Type.class);
    return files.stream()
        .filter(
            file -> counts.merge(StoreFileName.parse(file).orElseThrow().type(), 1, Integer::sum)
                <= FILES_MAX)
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
    Closed closed = closed(options, flushed);
    List<String> files = someOfEachKind(closed.directory.list());
    for (String file : files) {
      byte[] bytes = closed.directory.bytes(file);
      for (int place : places(bytes.length)) {
        SimulatedDirectory damaged = closed.directory.afterKill();
        damaged.truncate(file, place);
        check(closed, damaged, file, "cut to " + place);
      }
      for (int edit = isManifest(file) ? nextRecord(bytes, HEADER_BYTES) : bytes.length;
          edit < bytes.length;
          edit = nextRecord(bytes, edit)) {
        SimulatedDirectory damaged = closed.directory.afterKill();
        damaged.truncate(file, edit);
        check(closed, damaged, file, "cut to the record's end at " + edit);
      }
      SimulatedDirectory without = closed.directory.afterKill();
      without.delete(file);
      check(closed, without, file, "missing");
      for (String other : files) {
        if (!other.equals(file)) {
          SimulatedDirectory swapped = closed.directory.afterKill();
          swapped.replace(file, closed.directory.bytes(other));
          check(closed, swapped, file, "replaced by " + other);
        }
      }
    }
  }

  /**
   * Flushes, each in a generation of its own, whose segments are used again: a manifest that has
   * lost one of their edits would begin at a place in the log that is no more.
   */
  @Test
  void aManifestThatLostAnEditIsFoundOut() {
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

  /** A log with keys of a keyspace that the manifest does not know must not be half forgotten. */
  @Test
  void aManifestThatLostAKeyspaceIsFoundOut() {
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

  /** Where the manifest's record ends that begins there. */
  private static int nextRecord(byte[] manifest, int offset) {
    return offset
        + RECORD_HEAD_BYTES
        + ByteBuffer.wrap(manifest).order(ByteOrder.LITTLE_ENDIAN).getInt(offset + 4);
  }

  private static void check(Closed closed, SimulatedDirectory damaged, String file, String damage) {
    String what = file + " " + damage + " in " + closed.options;
    try (RlsmStore store =
        RlsmStore.open(damaged, closed.options, InlineScheduler.environment(3))) {
      store.verify();
      Expected expected = closed.expected;
      boolean mayBeOlder = isManifest(file) && damage.startsWith("cut");
      int first = mayBeOlder ? 0 : expected.first();
      assertThat(new Expected(expected.states(), first, expected.last(), expected.keyspaces())
              .find(store))
          .as(what)
          .isNotNegative();
    } catch (CorruptionException e) {
      assertThat(e.file()).as("%s: %s", what, e).isNotBlank();
    } catch (FormatVersionException e) {
      assertThat(e.file()).as("%s: %s", what, e).isNotBlank();
    } catch (RuntimeException e) {
      throw new AssertionError(what + ": " + e, e);
    }
    assertThat(damaged.openHandles()).as(what).isEmpty();
  }
}
