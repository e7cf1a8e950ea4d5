// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/** The options {@code hbase.rlsm.*}. Imports no other package of this module. */
@NullMarked
package io.github.rlsm.hbase.config;

import org.jspecify.annotations.NullMarked;
