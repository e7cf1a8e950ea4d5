// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/** YCSB over the store: the binding and the launcher. */
@NullMarked
package io.github.rlsm.ycsb;

import org.jspecify.annotations.NullMarked;
