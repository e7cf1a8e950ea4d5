// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.config;

import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;

/**
 * The options of a Membuffer memstore.
 *
 * @param cellsMax the largest number of cells in the hash table of a store
 */
public record MembufferSettings(int cellsMax) {

  /** The largest number of cells of a store in its Membuffer. */
  public static final String CELLS = "hbase.rlsm.membuffer.cells.max";

  private static final int CELLS_DEFAULT = 4_096;

  /** Reads the options and reports each unusable one to {@code problems}. */
  public static MembufferSettings of(Configuration conf, Consumer<String> problems) {
    return new MembufferSettings(
        (int) StoreSettings.read(conf, CELLS, 2, 1 << 20, CELLS_DEFAULT, problems));
  }
}
