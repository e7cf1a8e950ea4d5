// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/** Internal keys, kinds and hashes that every room shares. */
@NullMarked
package io.github.rlsm.base;

import org.jspecify.annotations.NullMarked;
