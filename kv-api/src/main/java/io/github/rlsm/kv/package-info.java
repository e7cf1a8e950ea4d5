// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/** The contract of a key-value store: what callers program against. */
@NullMarked
package io.github.rlsm.kv;

import org.jspecify.annotations.NullMarked;
