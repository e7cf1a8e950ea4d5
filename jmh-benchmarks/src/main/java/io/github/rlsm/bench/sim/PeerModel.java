// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.sim;

import java.util.ArrayList;
import java.util.List;

/**
 * A simple model of another store's compaction under inserts of new keys in any order.
 * Implementations belong to one thread.
 */
interface PeerModel {

  /** Of the overlap at worst, the share that is met. */
  double OVERLAP = 0.5;

  /** Adds one flushed file and does what becomes due; returns the bytes that compactions wrote. */
  double flush(double bytes);

  /** Sorted runs that a lookup may have to ask. */
  int runs();

  /**
   * Leveled as in RocksDB: four files in level 0 are merged with all of level 1; a level over its
   * limit hands the excess down, which rewrites half of what it would at worst: as many times as
   * much of the next level as that is larger than this one. The half gives what LevelDB was
   * measured to write (WiscKey, section 2.3). Sizes are fixed from the top, so the last level may
   * be small.
   *
   * @param fanout how many times each level is larger than the one above
   */
  static PeerModel leveled(double fanout) {
    List<Double> levels = new ArrayList<>();
    return new PeerModel() {
      private int files;
      private double l0;

      @Override
      public double flush(double bytes) {
        l0 += bytes;
        if (++files < 4) {
          return 0;
        }
        double written = move(0, l0, 4 * bytes);
        files = 0;
        l0 = 0;
        return written;
      }

      private double move(int to, double bytes, double limit) {
        if (levels.size() == to) {
          levels.add(0.0);
        }
        double below = levels.get(to);
        double above = to == 0 ? bytes : limit / fanout;
        double written = bytes + OVERLAP * below * Math.min(1, bytes / above);
        double excess = Math.max(0, below + bytes - limit);
        levels.set(to, below + bytes - excess);
        return excess == 0 ? written : written + move(to + 1, excess, limit * fanout);
      }

      @Override
      public int runs() {
        return files + levels.size();
      }
    };
  }

  /**
   * Size-tiered: as many runs of one size as the width are merged into one of the next size.
   *
   * @param width how many
   */
  static PeerModel tiered(int width) {
    List<Integer> tiers = new ArrayList<>();
    return new PeerModel() {
      @Override
      public double flush(double bytes) {
        double size = bytes;
        double written = 0;
        for (int tier = 0; ; tier++) {
          if (tiers.size() == tier) {
            tiers.add(0);
          }
          tiers.set(tier, tiers.get(tier) + 1);
          if (tiers.get(tier) < width) {
            return written;
          }
          tiers.set(tier, 0);
          size *= width;
          written += size;
        }
      }

      @Override
      public int runs() {
        return tiers.stream().mapToInt(Integer::intValue).sum();
      }
    };
  }

  /**
   * One region of HBase under its exploring policy: of all 3 to 10 neighbouring files of which none
   * is larger than 1.2 times the others together, the most, and of those the smallest; without
   * splits of the region.
   */
  static PeerModel exploring() {
    List<Double> files = new ArrayList<>();
    return new PeerModel() {
      @Override
      public double flush(double bytes) {
        files.add(bytes);
        double written = 0;
        for (double merged = merge(); merged > 0; merged = merge()) {
          written += merged;
        }
        return written;
      }

      private double merge() {
        List<Double> best = List.of();
        int at = 0;
        for (int from = 0; from < files.size(); from++) {
          for (int to = from + 3; to <= Math.min(from + 10, files.size()); to++) {
            List<Double> some = files.subList(from, to);
            if (isInRatio(some) && isBetter(some, best)) {
              best = some;
              at = from;
            }
          }
        }
        double sum = sum(best);
        if (sum > 0) {
          best.clear();
          files.add(at, sum);
        }
        return sum;
      }

      private boolean isInRatio(List<Double> some) {
        double sum = sum(some);
        return some.stream().allMatch(size -> size <= 1.2 * (sum - size));
      }

      private boolean isBetter(List<Double> some, List<Double> best) {
        return some.size() > best.size() || (some.size() == best.size() && sum(some) < sum(best));
      }

      private double sum(List<Double> some) {
        return some.stream().mapToDouble(Double::doubleValue).sum();
      }

      @Override
      public int runs() {
        return files.size();
      }
    };
  }
}
