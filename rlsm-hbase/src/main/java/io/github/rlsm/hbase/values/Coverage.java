// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.values;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.hbase.values.KeyFileMark.Cover;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Computations on the row ranges that key files cover; pure. */
public final class Coverage {

  private Coverage() {}

  /**
   * Whether some ranges cover every row of a span.
   *
   * @param span the rows of a file; null for a file without rows
   */
  public static boolean isWhole(@Nullable KeyRange span, Collection<KeyRange> ranges) {
    if (span == null || span.isEmpty()) {
      return true;
    }
    List<KeyRange> sorted = new ArrayList<>(ranges);
    sorted.sort((a, b) -> compareFrom(a, b));
    byte[] reached = span.from();
    for (KeyRange range : sorted) {
      byte[] from = range.from();
      if (from != null && (reached == null || Arrays.compareUnsigned(from, reached) > 0)) {
        return false;
      }
      byte[] to = range.to();
      if (to == null) {
        return true;
      }
      if (reached == null || Arrays.compareUnsigned(to, reached) > 0) {
        reached = to;
      }
      byte[] end = span.to();
      if (end != null && Arrays.compareUnsigned(reached, end) >= 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * Joins adjacent ranges of the same kind, so that the table in a key file does not grow with each
   * compaction.
   */
  public static List<Cover> joined(Collection<Cover> covers) {
    List<Cover> sorted = new ArrayList<>(covers);
    sorted.sort((a, b) -> compareFrom(a.rows(), b.rows()));
    List<Cover> joined = new ArrayList<>();
    for (Cover cover : sorted) {
      Cover last = joined.isEmpty() ? null : joined.get(joined.size() - 1);
      if (last != null
          && last.retired() == cover.retired()
          && reaches(last.rows().to(), cover.rows().from())) {
        KeyRange both = KeyRange.of(last.rows().from(), later(last.rows(), cover.rows()));
        joined.set(joined.size() - 1, new Cover(both, cover.retired()));
      } else {
        joined.add(cover);
      }
    }
    return joined;
  }

  private static boolean reaches(byte @Nullable [] end, byte @Nullable [] from) {
    return end == null || from == null || Arrays.compareUnsigned(end, from) >= 0;
  }

  private static byte @Nullable [] later(KeyRange left, KeyRange right) {
    byte[] a = left.to();
    byte[] b = right.to();
    if (a == null || b == null) {
      return null;
    }
    return Arrays.compareUnsigned(a, b) >= 0 ? a : b;
  }

  private static int compareFrom(KeyRange left, KeyRange right) {
    byte[] a = left.from();
    byte[] b = right.from();
    if (a == null || b == null) {
      return Boolean.compare(a != null, b != null);
    }
    return Arrays.compareUnsigned(a, b);
  }
}
