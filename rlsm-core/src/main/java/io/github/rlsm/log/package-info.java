// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/** The write-ahead log and the value log. */
@NullMarked
package io.github.rlsm.log;

import org.jspecify.annotations.NullMarked;
