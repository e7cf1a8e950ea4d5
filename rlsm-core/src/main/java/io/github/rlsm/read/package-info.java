// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/** Pinned views, point reads and merged scans. */
@NullMarked
package io.github.rlsm.read;

import org.jspecify.annotations.NullMarked;
