// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/** One shard of the store and its life cycle: the only room that makes threads and reads clocks. */
@NullMarked
package io.github.rlsm.engine;

import org.jspecify.annotations.NullMarked;
