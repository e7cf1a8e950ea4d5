// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/** The one seam to files. */
@NullMarked
package io.github.rlsm.io;

import org.jspecify.annotations.NullMarked;
