// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.io.ChildJvm;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.proof.Proof;
import io.github.rlsm.thread.Environment;
import io.github.rlsm.thread.ThreadScheduler;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Puts of a thread that has nearly no stack left, at every depth at which a put may fail. No
 * acknowledged write is lost, no other writer hangs, and the store closes.
 *
 * <p>The puts run in a separate JVM, because a class of the JDK whose initialization runs out of
 * stack is unusable until the JVM ends.
 */
class StackOverflowWriteTest {

  private static final byte[] PREFIX = {0};
  private static final int STACK_BYTES = 256 << 10;
  private static final int LEVELS = 1 << 16;

  /** The number of levels, counted from the deepest one, that put. */
  private static final int PUTS = 200;

  /** The time limit. Only a thread that hangs exceeds it. */
  private static final long HANGING_SECONDS = 120;

  /** The child's last line. A JVM may print warnings before it. */
  private static final Pattern END = Pattern.compile("(?:^|\n)(\\d+) stores read-only\\z");

  private final boolean[] acknowledged = new boolean[LEVELS];
  private final byte[][] keys = new byte[LEVELS][];
  private final byte[] value = new byte[20];

  private static Engine open(SimulatedDirectory directory) {
    return Engine.open(
        directory,
        TestEngine.SETTINGS,
        new Environment(() -> 0, new SplittableRandom(1), new ThreadScheduler("test", 1)));
  }

  private void put(Engine engine, byte[] key, Durability durability) {
    engine.put(WriteScratch.of(PREFIX, key, 0, key.length), value, 0, value.length, durability);
  }

  /** Recurses until the stack is exhausted, and puts on the way back. */
  private int descend(Engine engine, int level) {
    int left;
    try {
      left = level == LEVELS - 1 ? PUTS : descend(engine, level + 1);
    } catch (StackOverflowError e) {
      left = PUTS;
    }
    if (left > 0) {
      try {
        put(engine, keys[level], Durability.BUFFERED);
        acknowledged[level] = true;
      } catch (Error | StoreFailedException e) {
        acknowledged[level] = false;
      }
    }
    return left - 1;
  }

  private static void within(String name, long stackBytes, Runnable work) throws Exception {
    CompletableFuture<Boolean> end = new CompletableFuture<>();
    Thread thread = new Thread(
        null,
        () -> {
          try {
            work.run();
            end.complete(true);
          } catch (RuntimeException | Error e) {
            end.completeExceptionally(e);
          }
        },
        name,
        stackBytes);
    thread.setDaemon(true);
    thread.start();
    end.get(HANGING_SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void putsWithoutStackLoseNothingAndBlockNoWriter() {
    int rounds = Proof.count("t5.stacks", 30);
    List<String> arguments = List.of(Integer.toString(rounds));
    try (ChildJvm child = ChildJvm.start(StackOverflowWriteTest.class, any -> true, arguments)) {
      String output = child.remainingOutput();
      Matcher end = END.matcher(output);
      assertThat(end.find()).as(output).isTrue();
      Proof.ran("T5", "threads that ran out of stack in puts", rounds);
      Proof.ran("T5", "of them that left the store read-only", Long.parseLong(end.group(1)));
    }
  }

  /**
   * The main method of the child: runs that many rounds, and prints how many left the store
   * read-only.
   */
  public static void main(String[] arguments) throws Exception {
    // Initializes the classes that report a failure while enough stack is left.
    assertThatThrownBy(() -> Objects.checkIndex(1, 1)) // a frame of a named module
        .satisfies(thrown -> assertThat(thrown.getStackTrace()).isNotEmpty());
    StackOverflowWriteTest test = new StackOverflowWriteTest();
    for (int level = 0; level < LEVELS; level++) {
      test.keys[level] = ByteBuffer.allocate(4).putInt(level).array();
    }
    int failed = 0;
    try {
      for (int round = 0; round < Integer.parseInt(arguments[0]); round++) {
        failed += test.leavesStoreReadOnly(round) ? 1 : 0;
      }
    } catch (TimeoutException e) {
      Thread.getAllStackTraces().forEach((thread, stack) -> say(thread + Arrays.toString(stack)));
      throw e;
    }
    say(failed + " stores read-only");
  }

  private static void say(String what) {
    System.err.println(what);
  }

  private boolean leavesStoreReadOnly(int round) throws Exception {
    Arrays.fill(acknowledged, false);
    SimulatedDirectory directory = new SimulatedDirectory();
    Engine engine = open(directory);
    put(engine, new byte[] {1}, Durability.SYNC);
    within("no-stack", STACK_BYTES + 16L * 7 * round, () -> descend(engine, 0));
    boolean[] taken = new boolean[1];
    within("other", 0, () -> {
      try {
        put(engine, new byte[] {2}, Durability.SYNC);
        taken[0] = true;
      } catch (StoreFailedException e) {
        // A valid answer: the history has a hole.
      }
    });
    within("closer", 0, engine::close);
    try (Engine again = open(directory)) {
      assertThat(again.get(PREFIX, new byte[] {1}, 0, 1)).isNotNull();
      assertThat(again.get(PREFIX, new byte[] {2}, 0, 1) != null).isEqualTo(taken[0]);
      for (int level = 0; level < LEVELS; level++) {
        if (acknowledged[level]) {
          assertThat(again.get(PREFIX, keys[level], 0, 4)).as("level %d", level).isNotNull();
        }
      }
    }
    return !taken[0];
  }
}
