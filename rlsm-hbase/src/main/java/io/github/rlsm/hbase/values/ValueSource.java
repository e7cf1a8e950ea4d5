// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.values;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;

/** Where values of shadows can be read. */
@FunctionalInterface
public interface ValueSource {

  /**
   * The complete cell of a shadow.
   *
   * @throws ValueFileException if a value file cannot be read or has no such value
   */
  Cell complete(Cell shadow) throws IOException;
}
