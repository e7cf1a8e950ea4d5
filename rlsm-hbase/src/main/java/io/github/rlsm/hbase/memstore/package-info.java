// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The Membuffer of FloDB as a memstore inside HBase:
 * {@link io.github.rlsm.hbase.memstore.MembufferMemStore} is the name that an operator gives to
 * {@code hbase.regionserver.memstore.class}.
 *
 * <p>A store may have it with any store engine. May import: {@code config}.
 */
@NullMarked
package io.github.rlsm.hbase.memstore;

import org.jspecify.annotations.NullMarked;
