// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.sim;

import java.util.ArrayList;
import java.util.List;

/**
 * A simple model of another store's compaction, for inserts of new keys in random order.
 *
 * <p>Threads: one.
 */
interface PeerModel {

  /** The real overlap of a compaction, as a fraction of the worst case. */
  double OVERLAP = 0.5;

  /** Adds a flushed file and runs the compactions that become due. Returns the bytes they wrote. */
  double flush(double bytes);

  /** Number of sorted runs that a lookup may have to search. */
  int runs();

  /**
   * Leveled as in RocksDB. Four files in level 0 are merged with all of level 1. A level over its
   * limit moves the excess to the next level. In the worst case a moved byte rewrites
   * {@code fanout} bytes of that level; the model uses half of this. The half gives LevelDB's
   * measured write amplification (WiscKey, section 2.3). Sizes are fixed from the top, so the last
   * level may be small.
   *
   * @param fanout size of each level divided by the size of the level above
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
   * Size-tiered: {@code width} runs of one size are merged into one run of the next size.
   *
   * @param width number of runs to merge
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
   * One region of HBase under its exploring policy, without splits of the region. A candidate is 3
   * to 10 adjacent files, where each file is at most 1.2 times the size of the others together. The
   * policy picks the candidate with the most files, and of several the smallest.
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
