// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The two parts that others must name before they exist. Set once each while an engine is opened,
 * by the opening thread, before any other thread gets to see them.
 */
final class Wiring {

  @Nullable
  Components components;

  @Nullable
  WritePath writes;

  Components components() {
    return Objects.requireNonNull(components);
  }

  WritePath writes() {
    return Objects.requireNonNull(writes);
  }
}
