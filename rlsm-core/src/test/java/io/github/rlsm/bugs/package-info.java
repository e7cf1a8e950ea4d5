// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Proves that the tests test: each seeded bug breaks one rule of the engine, and a named test must
 * fail with the assertion that guards this rule.
 *
 * <p>A bug is a change of a few source lines. The class {@link io.github.rlsm.bugs.BugList} reads
 * the bugs from a text file. The class {@link io.github.rlsm.bugs.BrokenEngine} compiles the
 * changed source into a separate directory. The class {@link io.github.rlsm.bugs.ChildTests} runs
 * tests in a child JVM with this directory first on the class path. So production code needs no
 * hook.
 */
package io.github.rlsm.bugs;
