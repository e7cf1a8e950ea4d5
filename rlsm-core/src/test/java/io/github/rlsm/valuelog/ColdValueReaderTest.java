// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.valuelog;

/** Tests that a read which copies its record by a system call returns the right value too. */
class ColdValueReaderTest extends ValueReaderTest {

  @Override
  ValueReader newReader() {
    ValueReader reader = new ValueReader();
    reader.setCold(true);
    return reader;
  }
}
