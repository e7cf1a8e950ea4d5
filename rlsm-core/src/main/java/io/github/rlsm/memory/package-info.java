// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/** The two memory tiers: membuffer and memtable. */
@NullMarked
package io.github.rlsm.memory;

import org.jspecify.annotations.NullMarked;
