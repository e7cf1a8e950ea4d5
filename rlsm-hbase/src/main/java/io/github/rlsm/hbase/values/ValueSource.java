// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.values;

import io.github.rlsm.hbase.values.ValueReferenceTag.Pointer;
import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.ExtendedCell;

/** Reads the values of shadows. */
@FunctionalInterface
public interface ValueSource {

  /**
   * Returns the complete cell of a shadow.
   *
   * @param pointer the location of its value
   * @throws ValueFileException if a value file cannot be read or lacks the value
   */
  Cell complete(ExtendedCell shadow, Pointer pointer) throws IOException;
}
