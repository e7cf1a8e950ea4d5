// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.layout;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.SeqnoRange;
import io.github.rlsm.policy.RunShape;
import java.util.ArrayList;
import java.util.List;

/** Converts files to the run shapes of the shared policies. */
public final class RunShapes {

  /** The range of a file without cells, because the policies require runs with keys. */
  private static final KeyRange ANY_ROWS = KeyRange.of(new byte[] {0}, new byte[] {1});

  private RunShapes() {}

  /**
   * Converts files to shapes. The id and the age of a shape are the file's index.
   *
   * @param files from oldest to newest
   */
  public static <F> List<RunShape> of(List<FileShape<F>> files) {
    List<RunShape> shapes = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      FileShape<F> file = files.get(i);
      KeyRange span = file.span();
      boolean closed = span != null && span.from() != null && span.to() != null;
      shapes.add(shape(i, closed && span != null ? span : ANY_ROWS, file));
    }
    return shapes;
  }

  /** Converts files to shapes as if all files held the same rows. */
  public static <F> List<RunShape> stacked(List<FileShape<F>> files) {
    List<RunShape> shapes = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      shapes.add(shape(i, ANY_ROWS, files.get(i)));
    }
    return shapes;
  }

  private static RunShape shape(int age, KeyRange rows, FileShape<?> file) {
    return new RunShape(
        new RunShape.TableFile(age, file.bytes()),
        rows,
        file.bytes(),
        new RunShape.Counts(file.entries(), 0, 0),
        new SeqnoRange(age, age),
        RunShape.Values.NONE);
  }
}
