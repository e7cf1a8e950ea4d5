// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/** Tasks and results of measurements, as records that are stored as JSON. */
@NullMarked
package io.github.rlsm.bench.result;

import org.jspecify.annotations.NullMarked;
