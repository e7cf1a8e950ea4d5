// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.rlsm.bench.hbase.server.JvmFlags;
import io.github.rlsm.bench.hbase.server.StandaloneHBase;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A standalone HBase in the folder structure that an operator has: all jars lie in {@code lib}, and
 * {@code bin} has the commands that docs/hbase.md names. At first the drop-in jar is absent.
 *
 * <p>Threads: one.
 */
final class InstalledHBase implements AutoCloseable {

  private static final List<String> JVM =
      List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-ea");
  private static final long MINUTES_MAX = 5;
  private static final long POLL_MILLIS = 100;

  private final Path home;
  private final int infoPort;
  private final StandaloneHBase server;

  /**
   * Installs HBase without the drop-in jar.
   *
   * @param home an empty folder
   */
  InstalledHBase(Path home) throws IOException {
    this.home = home;
    for (String folder : List.of("lib", "bin")) {
      Files.createDirectories(home.resolve(folder));
    }
    infoPort = StandaloneHBase.freePort();
    link(home.resolve("lib"));
    server = new StandaloneHBase(
        home,
        Map.of(
            "hbase.regionserver.info.port",
            Integer.toString(infoPort),
            // Compacted files are archived within seconds, and not within two minutes.
            "hbase.hfile.compaction.discharger.interval",
            "2000"),
        JVM,
        home + "/lib/*");
    script(
        "hbase",
        String.join(
            " ",
            "exec",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1",
            String.join(" ", JvmFlags.all()),
            "-cp '" + home + "/conf:" + home + "/lib/*' \"$@\""));
    // The test restarts the server, and removes the file afterwards.
    script(
        "rolling-restart.sh",
        "touch " + restart() + "\nwhile [ -e " + restart() + " ]; do sleep 0.1; done");
  }

  /** Links all jars except the drop-in jar. */
  private static void link(Path lib) throws IOException {
    for (Path jar : jars().filter(jar -> !isDropIn(jar)).toList()) {
      Files.createSymbolicLink(lib.resolve(jar.getFileName()), jar);
    }
  }

  private static Stream<Path> jars() {
    return Stream.of(HBaseTestJvm.classPath().split(File.pathSeparator))
        .map(Path::of)
        .filter(path -> path.toString().endsWith(".jar"));
  }

  private static boolean isDropIn(Path jar) {
    return jar.getFileName().toString().endsWith("-dropin.jar");
  }

  private void script(String name, String text) throws IOException {
    Path file = home.resolve("bin").resolve(name);
    Files.writeString(file, "#!/usr/bin/env bash\n" + text + "\n");
    if (!file.toFile().setExecutable(true)) {
      throw new IOException(file + " cannot be made executable");
    }
  }

  private Path restart() {
    return home.resolve("restart");
  }

  /** The server, which the caller starts. */
  StandaloneHBase server() {
    return server;
  }

  /** The drop-in jar that the build has created. */
  static Path dropIn() {
    return jars().filter(InstalledHBase::isDropIn).findFirst().orElseThrow();
  }

  /** The place of the drop-in jar after its installation. */
  Path installed() {
    return home.resolve("lib").resolve(dropIn().getFileName());
  }

  /**
   * Starts another region server of the same cluster, in its own process and without the drop-in
   * jar. The caller must end it.
   */
  Process startRegionServerWithoutJar() throws IOException {
    Path folder = Files.createDirectories(home.resolve("other"));
    link(Files.createDirectories(folder.resolve("lib")));
    String site = Files.readString(home.resolve("conf").resolve("hbase-site.xml"));
    // The last value of a property in a file counts.
    String own = property("hbase.cluster.distributed", "true")
        + property("hbase.regionserver.port", Integer.toString(StandaloneHBase.freePort()))
        + property("hbase.regionserver.info.port", "-1");
    Files.writeString(
        Files.createDirectories(folder.resolve("conf")).resolve("hbase-site.xml"),
        site.replace("</configuration>", own + "</configuration>"));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM);
    command.addAll(JvmFlags.all());
    command.addAll(List.of(
        "-cp",
        folder + "/conf:" + folder + "/lib/*",
        "org.apache.hadoop.hbase.regionserver.HRegionServer",
        "start"));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("log").toFile())
        .start();
  }

  private static String property(String name, String value) {
    return "<property><name>" + name + "</name><value>" + value + "</value></property>\n";
  }

  /** The exit code and the output of a process. */
  record Ended(int code, String output) {}

  /** Runs lines of bash as an operator would, with the variables that docs/hbase.md names. */
  Ended bash(String lines) throws IOException, InterruptedException {
    Path output = home.resolve("output.txt");
    ProcessBuilder builder = new ProcessBuilder("bash", "-euo", "pipefail", "-c", lines)
        .directory(home.toFile())
        .redirectErrorStream(true)
        .redirectOutput(output.toFile());
    builder.environment().put("HBASE_HOME", home.toString());
    builder.environment().put("RLSM_JAR", dropIn().toString());
    builder.environment().put("SERVER", "localhost:" + infoPort);
    Process process = builder.start();
    try {
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES_MAX);
      while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        if (System.nanoTime() > end) {
          throw new IOException("still running after " + MINUTES_MAX + " minutes: " + lines);
        }
        if (Files.exists(restart())) {
          server.kill();
          server.start();
          Files.delete(restart());
        }
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    return new Ended(process.exitValue(), new String(Files.readAllBytes(output), UTF_8));
  }

  @Override
  public void close() {
    server.close();
  }
}
