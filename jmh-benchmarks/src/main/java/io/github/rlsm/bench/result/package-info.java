// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/** What was asked for and what was measured, as records that are written and read as JSON. */
@NullMarked
package io.github.rlsm.bench.result;

import org.jspecify.annotations.NullMarked;
