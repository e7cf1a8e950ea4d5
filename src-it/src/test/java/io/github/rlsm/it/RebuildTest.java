// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code config/rebuild.sh} in a small tree of modules, with a fake Maven. */
class RebuildTest {
  private static final Path SCRIPT = Path.of("..", "config", "rebuild.sh").toAbsolutePath();
  private static final FileTime PAST = FileTime.from(Instant.parse("2020-01-01T00:00:00Z"));

  @TempDir
  Path root;

  private Path source;
  private Path calls;

  @BeforeEach
  void createModules() throws IOException {
    for (String module : List.of("core", "tool", "other")) {
      Files.createDirectories(root.resolve(module).resolve("src"));
      Files.writeString(root.resolve(module).resolve("pom.xml"), "<project/>");
      Files.writeString(root.resolve(module).resolve("src/A.java"), "class A {}");
    }
    Files.writeString(root.resolve("pom.xml"), "<project/>");
    source = root.resolve("core/src/A.java");
    calls = root.resolve("calls");
    fakeMaven("echo called >> '" + calls + "'; touch tool/target/tool.jar");
    age(root);
  }

  @Test
  void firstCallBuilds() throws Exception {
    rebuild();
    assertThat(builds()).isEqualTo(1);
    assertThat(root.resolve("tool/target/tool.jar")).exists();
  }

  @Test
  void unchangedSourcesAreNotBuiltAgain() throws Exception {
    rebuild();
    rebuild();
    assertThat(builds()).isEqualTo(1);
  }

  @Test
  void changedSourceOfDependencyIsBuilt() throws Exception {
    rebuild();
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));
    rebuild();
    assertThat(builds()).isEqualTo(2);
  }

  @Test
  void deletedSourceIsBuilt() throws Exception {
    rebuild();
    age(root);
    Files.delete(source);
    rebuild();
    assertThat(builds()).isEqualTo(2);
  }

  @Test
  void changedSourceOfUnrelatedModuleIsNotBuilt() throws Exception {
    rebuild();
    Files.setLastModifiedTime(
        root.resolve("other/src/A.java"), FileTime.from(Instant.now().plusSeconds(60)));
    rebuild();
    assertThat(builds()).isEqualTo(1);
  }

  @Test
  void failedBuildIsRepeated() throws Exception {
    fakeMaven("echo called >> '" + calls + "'; exit 1");
    assertThatThrownBy(this::rebuild).hasMessageContaining("building tool");
    assertThatThrownBy(this::rebuild).hasMessageContaining("building tool");
    assertThat(builds()).isEqualTo(2);
  }

  @Test
  void missingMavenIsNamed() throws IOException {
    Files.delete(root.resolve("bin/mvn"));
    assertThatThrownBy(() -> rebuild("/nowhere"))
        .hasMessageContaining("no mvn on the PATH; install Maven");
  }

  private void rebuild() throws IOException, InterruptedException {
    rebuild(root.resolve("bin") + ":" + System.getenv("PATH"));
  }

  private void rebuild(String path) throws IOException, InterruptedException {
    String command = "set -eu; . '" + SCRIPT + "'; rebuild '" + root + "' tool core";
    Machine.run("/usr/bin/env", "PATH=" + path, "/bin/sh", "-c", command);
  }

  private long builds() throws IOException {
    return Files.readAllLines(calls).size();
  }

  private void fakeMaven(String script) throws IOException {
    Path maven = root.resolve("bin/mvn");
    Files.createDirectories(maven.getParent());
    Files.writeString(maven, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(maven, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Makes all files and folders older than the stamp of a build. */
  private static void age(Path folder) throws IOException {
    List<Path> paths = new ArrayList<>();
    try (var found = Files.walk(folder)) {
      found.filter(path -> !path.toString().contains("target")).forEach(paths::add);
    }
    for (Path path : paths) {
      Files.setLastModifiedTime(path, PAST);
    }
  }
}
