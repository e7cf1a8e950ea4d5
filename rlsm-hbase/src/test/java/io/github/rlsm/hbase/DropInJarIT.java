// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.shipped.JarLinkage;
import io.github.rlsm.shipped.Program;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The jar for HBase's lib folder needs no other jars than HBase's own. */
class DropInJarIT {

  private static final Path JAR = Program.jar("dropin");

  @Test
  void everyReferenceResolvesInTheJarOrInHBase() throws IOException {
    assertThat(JarLinkage.missing(JAR, jarsOfHBase())).isEmpty();
  }

  /** The jar must not replace a class of HBase or of a library that HBase ships. */
  @Test
  void allClassesHaveNamesOfThisEngine() throws IOException {
    assertThat(JarLinkage.classes(JAR))
        .contains("io/github/rlsm/hbase/RlsmStoreEngine")
        .allMatch(name -> name.startsWith("io/github/rlsm/hbase/"));
  }

  /**
   * Returns the jars of HBase's server and its dependencies, as listed by
   * {@code dependency:build-classpath}.
   */
  private static List<Path> jarsOfHBase() throws IOException {
    String classPath = Files.readString(Path.of("target", "hbase.class-path")).strip();
    List<Path> jars =
        Arrays.stream(classPath.split(File.pathSeparator)).map(Path::of).toList();
    assertThat(jars).noneMatch(jar -> jar.toString().contains("/io/github/rlsm/"));
    return jars;
  }
}
