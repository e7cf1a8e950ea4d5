// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/** Benchmarks of the engine's structures and of whole stores beside their peers. */
@NullMarked
package io.github.rlsm.bench;

import org.jspecify.annotations.NullMarked;
