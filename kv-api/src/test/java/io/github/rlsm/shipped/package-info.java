// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Checks of the jars that users get.
 *
 * <p>Other tests run on the class files of all modules, so they cannot see that a jar lacks a
 * class. The class {@link io.github.rlsm.shipped.JarLinkage} inspects a single jar. The class
 * {@link io.github.rlsm.shipped.Program} runs a jar in a separate process.
 */
@NullMarked
package io.github.rlsm.shipped;

import org.jspecify.annotations.NullMarked;
