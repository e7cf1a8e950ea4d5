// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a failing history replays from its text alone. */
class KeptHistoryTest {

  private static final OpMix MIX = OpMix.usual()
      .operations(1_500)
      .weight(OpKind.KILL, 10)
      .weight(OpKind.POWER_LOSS, 10)
      .engineOperation("compact", 10, store -> {});

  @TempDir
  Path directory;

  /** Loses every second delete. */
  private static final class LosesDeletes extends ModelStore {

    private boolean loses;

    @Override
    public void delete(byte[] key, int offset, int length, Durability durability) {
      loses = !loses;
      if (!loses) {
        super.delete(key, offset, length, durability);
      }
    }
  }

  @Test
  void everyOperationIsReadFromItsLine() {
    List<Op> operations = OpSequence.of(7, MIX, path -> new ModelStore()).operations();
    String text = new KeptHistory("7", operations, List.of()).text("a comment\nof two lines");
    KeptHistory read = KeptHistory.parse(text, MIX);
    assertThat(text).startsWith("# a comment\n# of two lines\nopen 7\n");
    assertThat(read.opening()).isEqualTo("7");
    assertThat(read.operations()).hasToString(operations.toString());
    assertThat(read.keys()).isNotEmpty();
  }

  @Test
  void bytesAreReadFromTheirText() {
    byte[] bytes = new byte[300];
    bytes[0] = 5;
    bytes[200] = -1;
    assertThat(TestBytes.text(bytes)).isEqualTo("[05.00*199.ff.00*99]");
    assertThat(TestBytes.parse("[05.00*199.ff.00*99]")).isEqualTo(bytes);
    assertThat(TestBytes.parse(TestBytes.text(new byte[0]))).isEmpty();
    assertThat(TestBytes.parse(TestBytes.text(null))).isNull();
  }

  @Test
  void aStoredFailureReplays() {
    StoreFactory bad = path -> new LosesDeletes();
    OpMix writes = OpMix.usual().only(OpKind.PUT, OpKind.DELETE, OpKind.CHECK);
    ModelCheck check =
        new ModelCheck("loses deletes", bad, writes).storeFailuresIn(directory.resolve("failures"));
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> check.runSeed(directory, 42))
        .withMessageContaining("stored in " + directory.resolve("failures"));
    String text = """
        # Found by loses deletes.
        open 42
        put into '' [6b] = [76] OS
        delete from '' [6b] OS
        get from '' [6b]
        """;
    KeptHistory history = KeptHistory.parse(text, writes);
    history.replay(path -> new ModelStore(), directory.resolve("good"));
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> history.replay(bad, directory.resolve("bad")))
        .withMessageContaining("the store disagrees with the model at operation 2 of 3");
  }

  @Test
  void otherTextIsRefused() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> KeptHistory.parse("flush\n", MIX))
        .withMessageContaining("must begin with");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> KeptHistory.parse("open 1\nsleep\n", MIX))
        .withMessageContaining("not an operation: sleep");
  }
}
