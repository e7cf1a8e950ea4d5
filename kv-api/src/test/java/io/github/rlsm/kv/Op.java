// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a random history. Applied to any {@link Side}, it must return or throw the same.
 * All random choices are made when the operation is created.
 *
 * @param line the text for a report; {@link OpParser} reads it
 * @param action the operation
 */
public record Op(String line, Function<Side, @Nullable Object> action) {

  /**
   * Applies the operation.
   *
   * @return the observable result: null, or a structure of byte arrays, strings, numbers and lists
   */
  public @Nullable Object on(Side side) {
    return action.apply(side);
  }

  @Override
  public String toString() {
    return line;
  }
}
