// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionSizeTest {

  private static final long MEBIBYTE = 1 << 20;
  private static final long FLUSH_BYTES = 128 * MEBIBYTE;

  private final List<String> problems = new ArrayList<>();

  private PartitionSize size(String name, long value) {
    Configuration conf = new Configuration(false);
    conf.setLong(name, value);
    return StoreSettings.of(conf, FLUSH_BYTES, problems::add).partitions();
  }

  /** Operators who split regions themselves set very large limits for the size of a region. */
  @Test
  void theLimitOfARegionDoesNotMatter() {
    PartitionSize small = size(HConstants.HREGION_MAX_FILESIZE, 1 << 20);
    assertThat(size(HConstants.HREGION_MAX_FILESIZE, 1L << 40)).isEqualTo(small);
    assertThat(small.of(0)).isEqualTo(120 * MEBIBYTE);
    assertThat(small.of(8_000 * MEBIBYTE)).isEqualTo(3_200 * MEBIBYTE);
    assertThat(problems).isEmpty();
  }

  /** Otherwise every second part of a flush would be too small for a run of its partition. */
  @ParameterizedTest
  @ValueSource(longs = {4, 16, 64, 128, 512})
  void aPartOfAFlushIsLargerThanTheSmallestRun(long mebibytes) {
    long flush = mebibytes * MEBIBYTE;
    StoreSettings settings = StoreSettings.of(new Configuration(false), flush, problems::add);
    assertThat(flush / settings.partitions().partitions())
        .isBetween(settings.flushRunBytesMin() * 5 / 4, settings.flushRunBytesMin() * 2);
  }

  @Test
  void theOptionSetsTheSizeOfAnyStore() {
    PartitionSize size = size(StoreSettings.PARTITION_BYTES, 5 * MEBIBYTE);
    assertThat(size.of(0)).isEqualTo(5 * MEBIBYTE);
    assertThat(size.of(8_000 * MEBIBYTE)).isEqualTo(5 * MEBIBYTE);
  }
}
