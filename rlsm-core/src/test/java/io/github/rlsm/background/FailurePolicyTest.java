// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.background.BackgroundError.Activity;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.DiskFullException;
import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.kv.ResourceExhaustedException.Resource;
import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.kv.StoreIoException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The whole policy as a table: each row is a cause, each column an activity of the engine. */
class FailurePolicyTest {

  private final IOException system = new IOException("as the system says");

  /** A row: T means transient, P permanent. */
  private record Row(Throwable error, String letters) {}

  private static final List<Activity> COLUMNS = List.of(
      Activity.WRITE,
      Activity.FORCE,
      Activity.FLUSH,
      Activity.COMPACT,
      Activity.COLLECT,
      Activity.PREPARE,
      Activity.INSTALL,
      Activity.DELETE,
      Activity.RELEASE);

  private Throwable exhausted(Resource resource) {
    return new ResourceExhaustedException("open", "t1", resource, system);
  }

  private final List<Row> table = List.of(
      new Row(new DiskFullException("append", "t1", system), "PPTTTTTTT"),
      new Row(exhausted(Resource.DISK_SPACE), "PPTTTTTTT"),
      new Row(exhausted(Resource.FILE_DESCRIPTORS), "PPTTTTTTT"),
      new Row(exhausted(Resource.MAPPINGS), "PPTTTTTTT"),
      new Row(exhausted(Resource.MEMORY), "PPTTTTTTT"),
      new Row(exhausted(Resource.THREADS), "PPTTTTTTT"),
      new Row(new OutOfMemoryError("heap"), "PPTTTTTTT"),
      new Row(new StoreIoException("force", "t1", system), "PPPPPPPTP"),
      new Row(new StoreIoException("force directory", ".", system), "PPPPPPPTP"),
      new Row(new CorruptionException("MANIFEST", 0, "damaged"), "PPPPPPPPP"),
      new Row(new StoreFailedException(new DiskFullException("a", "b", system)), "PPPPPPPPP"),
      new Row(new StackOverflowError(), "PPPPPPPPP"),
      new Row(new IllegalStateException("a bug"), "PPPPPPPPP"),
      new Row(new InternalError("a fault in a mapping"), "PPPPPPPPP"));

  @TestFactory
  List<DynamicTest> everyCauseInEveryActivity() {
    List<DynamicTest> tests = new ArrayList<>();
    for (Row row : table) {
      for (int i = 0; i < COLUMNS.size(); i++) {
        Activity during = COLUMNS.get(i);
        boolean expected = row.letters.charAt(i) == 'T';
        tests.add(DynamicTest.dynamicTest(
            row.error + " during " + during,
            () -> assertThat(FailurePolicy.isTransient(row.error, during)).isEqualTo(expected)));
      }
    }
    return tests;
  }

  @Test
  void theTableHasEveryActivity() {
    assertThat(COLUMNS).containsExactlyInAnyOrder(Activity.values());
  }

  @Test
  void everyTransientCauseHasARemedy() {
    for (Row row : table) {
      assertThat(FailurePolicy.remedy(row.error)).isNotBlank();
    }
    assertThat(FailurePolicy.remedy(exhausted(Resource.MAPPINGS))).contains("vm.max_map_count");
  }
}
