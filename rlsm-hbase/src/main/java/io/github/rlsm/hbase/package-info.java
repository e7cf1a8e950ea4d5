// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/** The policies of the engine as a store engine inside HBase; planned, see PLAN.md. */
@NullMarked
package io.github.rlsm.hbase;

import org.jspecify.annotations.NullMarked;
