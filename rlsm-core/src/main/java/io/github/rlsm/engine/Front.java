// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.memory.MemoryComponent;

/** Where writes go: a generation of the log and the component over it. */
record Front(LogGeneration log, MemoryComponent memory) {

  Front(MemoryComponent memory) {
    this(memory.log(), memory);
  }
}
