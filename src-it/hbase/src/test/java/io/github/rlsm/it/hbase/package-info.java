// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/** Runs HBase's own tests, unchanged, with the store engine. */
@NullMarked
package io.github.rlsm.it.hbase;

import org.jspecify.annotations.NullMarked;
