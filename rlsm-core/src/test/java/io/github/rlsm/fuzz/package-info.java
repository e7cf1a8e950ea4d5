// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/** What the fuzz tests of the decoders have in common. */
@NullMarked
package io.github.rlsm.fuzz;

import org.jspecify.annotations.NullMarked;
