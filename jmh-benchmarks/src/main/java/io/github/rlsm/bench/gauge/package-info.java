// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Figures that the operating system reports about a process: bytes written, memory, disk usage; and
 * the memory limit of a measurement. A figure that the system does not report is -1, and reports
 * omit it.
 */
@NullMarked
package io.github.rlsm.bench.gauge;

import org.jspecify.annotations.NullMarked;
