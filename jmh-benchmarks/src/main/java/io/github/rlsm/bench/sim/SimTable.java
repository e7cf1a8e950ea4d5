// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * A table without content: a set of writes by position and time. Immutable.
 *
 * @param id unique
 * @param pieces disjoint in position
 */
record SimTable(long id, List<Piece> pieces) {

  /**
   * The newest versions of the keys in {@code [a, b)} written from one time to another.
   *
   * @param isCleaned whether tombstones are left out
   */
  record Piece(long a, long b, double fromTime, double toTime, boolean isCleaned) {

    Piece clip(long from, long to) {
      return new Piece(Math.max(a, from), Math.min(b, to), fromTime, toTime, isCleaned);
    }

    double tombstones(Writes writes) {
      return isCleaned ? 0 : writes.deletes(a, b, fromTime, toTime);
    }

    double entries(Writes writes) {
      double keys = writes.keys(a, b, fromTime, toTime);
      return isCleaned ? keys - writes.deletes(a, b, fromTime, toTime) : keys;
    }

    boolean isEmpty() {
      return a >= b;
    }
  }

  /** The parts of the pieces within a range. */
  static List<Piece> clip(List<Piece> pieces, long from, long to) {
    return pieces.stream()
        .map(piece -> piece.clip(from, to))
        .filter(piece -> !piece.isEmpty())
        .toList();
  }

  /**
   * Merges pieces of adjacent age. Over each key range their time spans are adjacent, because
   * writes between them would be in a run between them.
   *
   * @param dropsTombstones whether no older entries are left that tombstones could hide
   */
  static List<Piece> merge(List<Piece> pieces, boolean dropsTombstones) {
    TreeSet<Long> bounds = new TreeSet<>();
    for (Piece piece : pieces) {
      bounds.add(piece.a);
      bounds.add(piece.b);
    }
    List<Piece> merged = new ArrayList<>();
    Long from = bounds.pollFirst();
    while (from != null && !bounds.isEmpty()) {
      long to = bounds.pollFirst();
      double fromTime = Double.POSITIVE_INFINITY;
      double toTime = 0;
      for (Piece piece : pieces) {
        if (piece.a <= from && piece.b >= to) {
          fromTime = Math.min(fromTime, piece.fromTime);
          toTime = Math.max(toTime, piece.toTime);
        }
      }
      if (toTime > fromTime) {
        add(merged, new Piece(from, to, fromTime, toTime, dropsTombstones));
      }
      from = to;
    }
    return List.copyOf(merged);
  }

  private static void add(List<Piece> merged, Piece piece) {
    Piece last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
    if (last != null
        && last.b == piece.a
        && last.fromTime == piece.fromTime
        && last.toTime == piece.toTime) {
      merged.set(
          merged.size() - 1,
          new Piece(last.a, piece.b, last.fromTime, last.toTime, last.isCleaned));
    } else {
      merged.add(piece);
    }
  }

  /** Entries in a range of positions. */
  double entries(Writes writes, long from, long to) {
    return clip(pieces, from, to).stream()
        .mapToDouble(piece -> piece.entries(writes))
        .sum();
  }

  /** Tombstones in a range of positions. */
  double tombstones(Writes writes, long from, long to) {
    return clip(pieces, from, to).stream()
        .mapToDouble(piece -> piece.tombstones(writes))
        .sum();
  }

  /** Entries in a range that later writes, before {@code now}, have replaced. */
  double dead(Writes writes, long from, long to, double now) {
    double sum = 0;
    for (Piece piece : clip(pieces, from, to)) {
      double here = writes.keys(piece.a, piece.b, piece.fromTime, piece.toTime);
      double newer = writes.keys(piece.a, piece.b, piece.toTime, now);
      sum += here + newer - writes.keys(piece.a, piece.b, piece.fromTime, now);
    }
    return Math.max(0, sum);
  }
}
