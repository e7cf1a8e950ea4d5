// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.shipped.JarLinkage;
import io.github.rlsm.shipped.Program;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.openhft.affinity.Affinity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

/**
 * Builds and runs a user's Maven project that consists of the dependency and the example code in
 * README.md. Maven resolves our artifacts from a local repository that the test fills with the
 * packaged jars and poms. Other libraries come from the developer's repository, which is only read.
 */
class ReadmeProjectIT {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final String VERSION = property("rlsm.version");
  private static final String GROUP = "io/github/rlsm";

  /** The declarations that README's example expects. */
  private static final String MAIN = """
      import io.github.rlsm.*;
      import io.github.rlsm.kv.*;
      import java.nio.file.Files;
      import java.nio.file.Path;
      import java.util.Map;

      public class Main {
        static final byte[] key = {1};
        static final byte[] value = {2};
        static final byte[] prefix = {3};
        static final byte[] id = {3, 4};
        static final byte[] profile = {5};
        static int used;

        static void use(byte[] key, byte[] value) {
          used++;
        }

        public static void main(String[] arguments) throws Exception {
          EXAMPLE;
          System.out.println("used " + used);
          System.out.println(
              Rlsm.class.getProtectionDomain().getCodeSource().getLocation().getPath());
          for (String compression : new String[] {"LZ4", "ZSTD"}) {
            withoutLibrary(compression);
          }
          pin();
        }

        static void pin() throws Exception {
          var options = RlsmOptions.fromProperties(Map.of("shards", "1", "pinShards", "true"));
          try (KvStore store = Rlsm.open(Path.of("pinned"), options)) {
            store.put(key, value);
            Path tasks = Path.of("/proc/self/task");
            for (String task : Files.exists(tasks) ? tasks.toFile().list() : new String[0]) {
              String status = Files.readString(tasks.resolve(task).resolve("status"));
              if (status.startsWith("Name:\\trlsm-shard")) {
                System.out.println(status.replaceAll("(?s).*(Cpus_allowed_list:[^\\n]*).*", "$1"));
              }
            }
          }
        }

        static void withoutLibrary(String compression) {
          for (int shards : new int[] {0, 2}) {
            var options = RlsmOptions.fromProperties(
                Map.of("compression", compression, "shards", Integer.toString(shards)));
            Path path = Path.of("shards-" + shards);
            try {
              Rlsm.open(path, options).close();
            } catch (InvalidOptionsException e) {
              System.out.println(e.getMessage());
            }
            System.out.println(Files.exists(path) ? "a directory was made" : "nothing was made");
          }
        }
      }
      """;

  private static final String POM = """
      <project xmlns="http://maven.apache.org/POM/4.0.0">
        <modelVersion>4.0.0</modelVersion>
        <groupId>org.example</groupId>
        <artifactId>example</artifactId>
        <version>1</version>
        <properties>
          <maven.compiler.release>17</maven.compiler.release>
          <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
        </properties>
        <dependencies>
      DEPENDENCIES
        </dependencies>
        <build>
          <plugins>
            <plugin>
              <artifactId>maven-resources-plugin</artifactId>
              <version>RESOURCES_VERSION</version>
            </plugin>
            <plugin>
              <artifactId>maven-compiler-plugin</artifactId>
              <version>COMPILER_VERSION</version>
            </plugin>
            <plugin>
              <artifactId>maven-dependency-plugin</artifactId>
              <version>DEPENDENCY_VERSION</version>
              <configuration>
                <outputFile>class-path</outputFile>
              </configuration>
            </plugin>
          </plugins>
        </build>
      </project>
      """;

  private static final String SETTINGS = """
      <settings>
        <mirrors>
          <mirror>
            <id>developer</id>
            <mirrorOf>*</mirrorOf>
            <url>DEVELOPERS</url>
          </mirror>
        </mirrors>
      </settings>
      """;

  private static final String NOT_PINNED =
      "pinShards has no effect: the library net.openhft:affinity";

  /** The library that {@code pinShards} needs, with the library that it logs with. */
  private static final String AFFINITY =
      jarOf(Affinity.class) + File.pathSeparator + jarOf(Logger.class);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path project;

  @Test
  void exampleCompilesAndRuns() throws Exception {
    String readme = Files.readString(ROOT.resolve("README.md"), UTF_8);
    writePom(readme);
    Path sources = Files.createDirectories(project.resolve("src/main/java"));
    Files.writeString(sources.resolve("Main.java"), main(readme));
    String classPath = compile();

    List<Path> libraries =
        Arrays.stream(classPath.split(File.pathSeparator)).map(Path::of).toList();
    assertThat(libraries).allMatch(jar -> jar.startsWith(repository()));
    Program example =
        Program.java(project, "-cp", "target/classes" + File.pathSeparator + classPath, "Main");
    assertRan(example);
    assertThat(example.output()).contains(NOT_PINNED);
    Program pinned = Program.java(
        project,
        "-cp",
        String.join(File.pathSeparator, "target/classes", classPath, AFFINITY),
        "Main");
    assertPinned(pinned);
    // Options that need these libraries name them in an error.
    for (String artifact : List.of("kv-api", "rlsm-core")) {
      assertThat(JarLinkage.missing(installed(artifact, "jar"), libraries).keySet())
          .allMatch(name ->
              name.startsWith("net/jpountz/lz4/") || name.startsWith("com/github/luben/zstd/"));
    }
  }

  /** The same project as a module: the compiler and the JVM see only what our modules export. */
  @Test
  void exampleCompilesAndRunsAsModule() throws Exception {
    String readme = Files.readString(ROOT.resolve("README.md"), UTF_8);
    writePom(readme);
    Path sources = Files.createDirectories(project.resolve("src/main/java"));
    Path module = sources.resolve("module-info.java");
    Files.writeString(module, "module org.example { requires io.github.rlsm; }");
    Path folder = Files.createDirectories(sources.resolve("org/example"));
    Files.writeString(folder.resolve("Main.java"), "package org.example;\n" + main(readme));
    String modulePath = "target/classes" + File.pathSeparator + compile();
    String main = "org.example/org.example.Main";
    Program example = Program.java(project, "-p", modulePath, "-m", main);
    assertRan(example);
    assertThat(example.output()).contains(NOT_PINNED);
    assertPinned(Program.java(project, "-p", modulePath, "-cp", AFFINITY, "-m", main));
    assertPinned(Program.java(
        project,
        "-p",
        modulePath + File.pathSeparator + AFFINITY,
        "--add-modules",
        "affinity,org.slf4j",
        "-m",
        main));

    Path other = folder.resolve("Other.java");
    Files.writeString(
        other, "package org.example; class Other { io.github.rlsm.os.OsDirectory x; }");
    Program refused = maven("compile");
    assertThat(refused.exitCode()).as(refused.output()).isNotZero();
    assertThat(refused.output()).contains("io.github.rlsm.os is not visible");
  }

  /** The store warns of nothing, and the thread of its shard is on one core. */
  private void assertPinned(Program example) {
    assertRan(example);
    assertThat(example.output()).doesNotContain("pinShards has no effect");
    if (Files.exists(Path.of("/proc/self/task"))) {
      assertThat(example.output()).containsPattern("Cpus_allowed_list:\\s*[0-9]+\\R");
    }
  }

  /** Returns the jar that contains a class of the test's class path. */
  private static String jarOf(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation().getPath();
  }

  private void writePom(String readme) throws IOException {
    Files.writeString(
        project.resolve("pom.xml"),
        POM.replace("DEPENDENCIES", block(readme, "xml"))
            .replace("RESOURCES_VERSION", property("rlsm.plugin.resources"))
            .replace("COMPILER_VERSION", property("rlsm.plugin.compiler"))
            .replace("DEPENDENCY_VERSION", property("rlsm.plugin.dependency")));
  }

  private static String main(String readme) {
    return MAIN.replace("EXAMPLE;", block(readme, "java"));
  }

  /** Compiles the project. Returns the paths of the libraries. */
  private String compile() throws Exception {
    fillRepository();
    Program maven = maven("compile", "dependency:build-classpath");
    assertThat(maven.exitCode()).as(maven.output()).isZero();
    return Files.readString(project.resolve("class-path"), UTF_8).strip();
  }

  private void assertRan(Program example) {
    assertThat(example.exitCode()).as(example.output()).isZero();
    assertThat(example.output())
        .contains("used 1", "at.yawk.lz4:lz4-java", "com.github.luben:zstd-jni")
        .doesNotContain("a directory was made")
        .contains("nothing was made", installed("rlsm-core", "jar").toString());
  }

  /** The first code block of that language in README.md. */
  private static String block(String readme, String language) {
    Matcher matcher = Pattern.compile("(?s)```" + language + "\n(.*?)```").matcher(readme);
    assertThat(matcher.find()).as("a block of %s in README.md", language).isTrue();
    return matcher.group(1);
  }

  private static String property(String name) {
    String value = System.getProperty(name);
    assertThat(value).as("property %s, set by the build", name).isNotEmpty();
    return value;
  }

  private Path repository() {
    return project.resolve("repository");
  }

  private Path installed(String artifact, String type) {
    return repository()
        .resolve(GROUP)
        .resolve(artifact)
        .resolve(VERSION)
        .resolve(artifact + "-" + VERSION + "." + type);
  }

  /** Does the work of {@code mvn install} for the packaged modules. */
  private void fillRepository() throws IOException {
    install(ROOT.resolve("pom.xml"), installed("rlsm-parent", "pom"));
    for (String module : List.of("kv-api", "rlsm-core")) {
      Path folder = ROOT.resolve(module);
      install(folder.resolve("pom.xml"), installed(module, "pom"));
      install(
          folder.resolve("target").resolve(module + "-" + VERSION + ".jar"),
          installed(module, "jar"));
    }
  }

  private static void install(Path file, Path installed) throws IOException {
    Files.createDirectories(installed.getParent());
    Files.copy(file, installed);
  }

  private Program maven(String... goals) throws IOException, InterruptedException {
    Path developers = Path.of(property("rlsm.developers.repository"));
    Path settings = project.resolve("settings.xml");
    Files.writeString(
        settings, SETTINGS.replace("DEVELOPERS", developers.toUri().toString()));
    List<String> command = new ArrayList<>(List.of(
        Path.of(property("maven.home"), "bin", "mvn").toString(),
        "-o",
        "-B",
        "-ntp",
        "-s",
        settings.toString(),
        "-gs",
        settings.toString(),
        "-Dmaven.repo.local=" + repository(),
        // Offline mode blocks the network only; the developer's repository is a folder.
        "-Daether.offline.protocols=file"));
    command.addAll(List.of(goals));
    return Program.run(project, command);
  }
}
