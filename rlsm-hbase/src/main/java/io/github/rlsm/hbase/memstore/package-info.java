// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * FloDB's Membuffer as a memstore inside HBase. An operator enables
 * {@link io.github.rlsm.hbase.memstore.MembufferMemStore} with the option
 * {@code hbase.regionserver.memstore.class}.
 *
 * <p>A store may use it with any store engine. May import: {@code config}.
 */
@NullMarked
package io.github.rlsm.hbase.memstore;

import org.jspecify.annotations.NullMarked;
