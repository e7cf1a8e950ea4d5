// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/** Flush, compaction, and the balancing moves on partitions. */
@NullMarked
package io.github.rlsm.compact;

import org.jspecify.annotations.NullMarked;
