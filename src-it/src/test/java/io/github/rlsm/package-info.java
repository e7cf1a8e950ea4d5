// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/** Gives the process-level tests access to the engine's package-private entry points. */
@NullMarked
package io.github.rlsm;

import org.jspecify.annotations.NullMarked;
