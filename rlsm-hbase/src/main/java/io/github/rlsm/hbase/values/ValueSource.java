// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.values;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;

/** Reads the values of shadows. */
@FunctionalInterface
public interface ValueSource {

  /**
   * Returns the complete cell of a shadow.
   *
   * @throws ValueFileException if a value file cannot be read or lacks the value
   */
  Cell complete(Cell shadow) throws IOException;
}
