// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import java.io.IOException;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Generates random puts, deletes and scans of a few hundred rows. Regions keep the cells they
 * receive, so each mutation can be created several times.
 *
 * <p>Mutations whose result depends on the moment of a compaction are not generated. These are puts
 * older than a delete of the same cell, and deletes of single versions in families that keep only
 * some versions.
 */
final class RandomCells {

  private static final int ROWS = 300;

  private final Random random;
  private final AtomicLong clock;
  private final Family family;
  private final boolean withLifetimes;

  RandomCells(Random random, AtomicLong clock, Family family, boolean withLifetimes) {
    this.random = random;
    this.clock = clock;
    this.family = family;
    this.withLifetimes = withLifetimes;
  }

  Supplier<Put> put() {
    byte[] row = row();
    byte[] value = new byte[random.nextInt(200)];
    random.nextBytes(value);
    byte[] column = column();
    long lifetime = withLifetimes && random.nextInt(20) == 0 ? 1 + random.nextInt(2_000) : 0;
    long now = clock.get();
    return () -> {
      Put put = new Put(row, now).addColumn(TestRegion.FAMILY, column, value);
      return lifetime == 0 ? put : put.setTTL(lifetime);
    };
  }

  Supplier<Delete> delete() {
    long until = clock.get() - random.nextInt(200);
    byte[] row = row();
    byte[] column = column();
    int kind = random.nextInt(family.keepsAllVersions() ? 4 : 2);
    return () -> {
      Delete delete = new Delete(row);
      return switch (kind) {
        case 0 -> delete.addFamily(TestRegion.FAMILY, until);
        case 1 -> delete.addColumns(TestRegion.FAMILY, column, until);
        case 2 -> delete.addFamilyVersion(TestRegion.FAMILY, until);
        default -> delete.addColumn(TestRegion.FAMILY, column, until);
      };
    };
  }

  /** Scans in both directions, over some rows or all, with limits on versions and times. */
  Scan scan() throws IOException {
    Scan scan = new Scan();
    byte[] from = row();
    byte[] to = row();
    boolean reversed = random.nextBoolean();
    boolean ordered = Bytes.compareTo(from, to) <= 0;
    scan.setReversed(reversed);
    if (random.nextInt(3) > 0) {
      scan.withStartRow(ordered == reversed ? to : from, random.nextBoolean());
    }
    if (random.nextInt(3) > 0) {
      scan.withStopRow(ordered == reversed ? from : to, random.nextBoolean());
    }
    if (random.nextInt(3) == 0) {
      scan = ofOneRow(from);
    }
    if (family.keepsAllVersions()) {
      scan.readVersions(1 + random.nextInt(5));
      if (random.nextInt(4) == 0) {
        long until = clock.get() - random.nextInt(500);
        scan.setTimeRange(until - random.nextInt(1_000), until);
      }
    }
    return scan;
  }

  /**
   * A scan that HBase treats as a Get, of all columns or some, with and without a filter. With both
   * columns and a filter, HBase's answer in a family with {@code NEW_VERSION_BEHAVIOR} depends on
   * the bounds of blocks (decision 58).
   */
  private Scan ofOneRow(byte[] row) {
    Scan scan = new Scan().withStartRow(row).withStopRow(row, true);
    for (int i = random.nextInt(3); i > 0; i--) {
      scan.addColumn(TestRegion.FAMILY, column());
    }
    boolean dependsOnBlocks = scan.hasFamilies() && family == Family.NEW_BEHAVIOUR;
    return switch (dependsOnBlocks ? -1 : random.nextInt(8)) {
      case 0 -> scan.setFilter(new FirstKeyOnlyFilter());
      case 1 -> scan.setFilter(new ColumnRangeFilter(column(), true, null, true));
      case 2 -> scan.setFilter(new ColumnPaginationFilter(1, 1));
      case 3 ->
        scan.setFilter(
            new QualifierFilter(CompareOperator.NOT_EQUAL, new BinaryComparator(column())));
      default -> scan;
    };
  }

  byte[] row() {
    return Bytes.toBytes(String.format(Locale.ROOT, "r%04d", random.nextInt(ROWS)));
  }

  byte[] column() {
    return Bytes.toBytes("c" + random.nextInt(3));
  }
}
