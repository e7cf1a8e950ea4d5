// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The program behind {@code ./rlsm}: maintenance of stores that no process has open. Entry point:
 * {@link io.github.rlsm.tools.RlsmMain}.
 */
@NullMarked
package io.github.rlsm.tools;

import org.jspecify.annotations.NullMarked;
