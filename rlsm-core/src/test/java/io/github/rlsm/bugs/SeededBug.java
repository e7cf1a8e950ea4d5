// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bugs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * One deliberate bug in the engine's source, and the test that must catch it.
 *
 * @param name a short name, in lower case with hyphens
 * @param breaks the rule that the bug breaks
 * @param source the changed file, relative to the engine's root package
 * @param removed neighbouring lines of that file, without indentation
 * @param added the lines that take their place
 * @param tests classes, or methods as {@code Class#method}, relative to the engine's root package
 * @param properties system properties for the tests
 * @param assertion a part of the message of the assertion that must fail
 */
record SeededBug(
    String name,
    String breaks,
    String source,
    List<String> removed,
    List<String> added,
    List<String> tests,
    Map<String, String> properties,
    Pattern assertion) {

  /**
   * Returns the source with the bug in it.
   *
   * @throws AssertionError if the removed lines do not occur exactly once
   */
  String applyTo(String text) {
    List<String> lines = new ArrayList<>(text.lines().toList());
    List<String> stripped = lines.stream().map(String::strip).toList();
    int at = -1;
    for (int i = 0; i + removed.size() <= lines.size(); i++) {
      if (stripped.subList(i, i + removed.size()).equals(removed)) {
        if (at >= 0) {
          throw new AssertionError("seeded bug " + name + ": its lines occur twice in " + source
              + ", lines " + (at + 1) + " and " + (i + 1) + "; name more of them");
        }
        at = i;
      }
    }
    if (at < 0) {
      throw new AssertionError("seeded bug " + name + ": its lines are not in " + source
          + " any more; bring the bug up to date:\n" + String.join("\n", removed));
    }
    List<String> place = lines.subList(at, at + removed.size());
    place.clear();
    place.addAll(added);
    return String.join("\n", lines) + "\n";
  }

  @Override
  public String toString() {
    return name + ": " + breaks;
  }
}
