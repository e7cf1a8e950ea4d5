// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/** Tables, runs and partitions on disk. */
@NullMarked
package io.github.rlsm.level;

import org.jspecify.annotations.NullMarked;
