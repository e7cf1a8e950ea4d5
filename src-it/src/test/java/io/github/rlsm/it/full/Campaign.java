// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it.full;

import java.util.ArrayList;
import java.util.List;

/**
 * One reliability test at full size.
 *
 * @param name unique name in lower case, for {@code --only}
 * @param test name in the test plan, T1 to T14, or {@code bugs}
 * @param what description for the report
 * @param module the folder of the Maven module that has the test classes
 * @param classes names of the test classes
 * @param reported the unit that the tests report through {@code Proof.ran}, which the run counts
 * @param goal number of units that the full run requires
 * @param size the system property that sizes a chunk, without the prefix {@code rlsm.}
 * @param perChunk the value of that property
 * @param properties further system properties of each chunk, as {@code name=value}
 */
record Campaign(
    String name,
    String test,
    String what,
    String module,
    List<String> classes,
    String reported,
    long goal,
    String size,
    int perChunk,
    List<String> properties) {

  /** The system properties of a chunk as options of the JVM. */
  List<String> jvmOptions(long seed) {
    List<String> options = new ArrayList<>();
    if (module.equals(Campaigns.PROCESSES)) {
      // The work is in child processes. The optimizing compiler would not pay off.
      options.add("-XX:TieredStopAtLevel=1");
    }
    options.add("-Drlsm." + size + "=" + perChunk);
    options.add("-Drlsm.seed=" + seed);
    properties.forEach(property -> options.add("-D" + property));
    return options;
  }
}
