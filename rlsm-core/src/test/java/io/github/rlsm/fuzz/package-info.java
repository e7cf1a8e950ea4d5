// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/** Common parts of the fuzz tests of the decoders. */
@NullMarked
package io.github.rlsm.fuzz;

import org.jspecify.annotations.NullMarked;
