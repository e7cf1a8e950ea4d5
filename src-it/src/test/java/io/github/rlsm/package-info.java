// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/** The way from the process-level tests to the engine's package-private doors. */
@NullMarked
package io.github.rlsm;

import org.jspecify.annotations.NullMarked;
