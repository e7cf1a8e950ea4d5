// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The program behind {@code ./rlsm}: what an operator does to a store that nobody has open. Door:
 * {@link io.github.rlsm.tools.RlsmMain}.
 */
@NullMarked
package io.github.rlsm.tools;

import org.jspecify.annotations.NullMarked;
