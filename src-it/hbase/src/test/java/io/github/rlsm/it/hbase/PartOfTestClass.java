// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it.hbase;

import java.util.List;
import org.junit.internal.RealSystem;
import org.junit.internal.TextListener;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.manipulation.Filter;

/**
 * Runs a JUnit 4 class except for some of its tests, and prints the output of {@link JUnitCore}.
 */
final class PartOfTestClass {

  private PartOfTestClass() {}

  /** Takes the name of the class and the names of the methods to skip. */
  public static void main(String[] arguments) throws ClassNotFoundException {
    List<String> all = List.of(arguments);
    List<String> left = all.subList(1, all.size());
    Filter others = new Filter() {
      @Override
      public boolean shouldRun(Description test) {
        return !left.contains(test.getMethodName());
      }

      @Override
      public String describe() {
        return "all but " + left;
      }
    };
    JUnitCore core = new JUnitCore();
    core.addListener(new TextListener(new RealSystem()));
    boolean passed =
        core.run(Request.aClass(Class.forName(arguments[0])).filterWith(others)).wasSuccessful();
    // HBase leaves non-daemon threads behind.
    System.exit(passed ? 0 : 1);
  }
}
