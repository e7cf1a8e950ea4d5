// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Benchmarks of single data structures of the engine, and of whole stores compared with other
 * engines.
 */
@NullMarked
package io.github.rlsm.bench;

import org.jspecify.annotations.NullMarked;
