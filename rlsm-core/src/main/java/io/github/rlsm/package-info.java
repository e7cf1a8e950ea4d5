// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/** The engine's door: opening a store and its options. */
@NullMarked
package io.github.rlsm;

import org.jspecify.annotations.NullMarked;
