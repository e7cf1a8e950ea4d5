// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import io.github.rlsm.log.LogGeneration;
import io.github.rlsm.memory.MemoryComponent;

/** Where writes go: a component and its generation of the log. Compared by identity. */
final class Front {

  private final MemoryComponent memory;

  Front(MemoryComponent memory) {
    this.memory = memory;
  }

  MemoryComponent memory() {
    return memory;
  }

  LogGeneration log() {
    return memory.log();
  }
}
