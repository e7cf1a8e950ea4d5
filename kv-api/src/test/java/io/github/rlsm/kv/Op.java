// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a random history: it can be applied to any {@link Side}, and what it returns or
 * throws must be the same on every side. All that is random about it was decided when it was made.
 *
 * @param description what it does, for a report
 * @param action the operation
 */
public record Op(String description, Function<Side, @Nullable Object> action) {

  /**
   * Applies the operation.
   *
   * @return what can be seen of it: null, or something made of byte arrays, strings, numbers and
   *     lists
   */
  public @Nullable Object on(Side side) {
    return action.apply(side);
  }

  @Override
  public String toString() {
    return description;
  }
}
