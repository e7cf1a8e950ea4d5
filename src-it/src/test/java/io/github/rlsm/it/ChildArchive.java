// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A class-data archive that lets child JVMs start faster. A child that opens a store loads about
 * 600 classes of the class path. Reading and verifying them takes longer than the JVM's own start,
 * and a test with many short-lived children repeats it each time.
 *
 * <p>A JVM archives only classes from jars. So the directories of the class path become one jar
 * first. Then a {@link TrainingChild} loads the classes, and its JVM archives them when it exits.
 * Children that use the archive run the same code. A JVM that cannot use it starts without it.
 */
final class ChildArchive {

  private static final String CLASSES = ".class";

  private final String classPath;
  private final Path archive;

  private ChildArchive(String classPath, Path archive) {
    this.classPath = classPath;
    this.archive = archive;
  }

  /** The archive that all tests in this JVM share, made at the first call. */
  static ChildArchive shared() {
    return Shared.ARCHIVE;
  }

  private static final class Shared {
    static final ChildArchive ARCHIVE = create();

    private static ChildArchive create() {
      try {
        return ChildArchive.create();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static ChildArchive create() throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("rlsm-child");
    List<String> directories = new ArrayList<>();
    List<String> jars = new ArrayList<>();
    Pattern separator = Pattern.compile(File.pathSeparator, Pattern.LITERAL);
    for (String element : separator.split(ChildJvm.classPath(), -1)) {
      (Files.isDirectory(Path.of(element)) ? directories : jars).add(element);
    }
    Path jar = directory.resolve("classes.jar");
    jar(directories, jar);
    String classPath = Stream.concat(
            Stream.of(jar.toString()), jars.stream().filter(ChildArchive::isNeeded))
        .collect(Collectors.joining(File.pathSeparator));
    Path archive = directory.resolve("classes.jsa");
    train(classPath, archive, directory);
    // Deleted in reverse order.
    Stream.of(directory, jar, archive).map(Path::toFile).forEach(File::deleteOnExit);
    return new ChildArchive(classPath, archive);
  }

  /** Children run no tests. A lookup of services would open the jars of the test tools, too. */
  private static boolean isNeeded(String jar) {
    return Stream.of("junit", "assertj", "byte-buddy").noneMatch(jar::contains);
  }

  private static void jar(List<String> directories, Path jar) throws IOException {
    Set<String> names = new HashSet<>();
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      out.setLevel(0);
      for (String root : directories) {
        try (Stream<Path> all = Files.walk(Path.of(root))) {
          for (Path from : all.filter(ChildArchive::isClass).sorted().toList()) {
            String name = Path.of(root).relativize(from).toString().replace(File.separator, "/");
            if (names.add(name)) {
              out.putNextEntry(new JarEntry(name));
              Files.copy(from, out);
            }
          }
        }
      }
    }
  }

  private static boolean isClass(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(CLASSES) && !name.equals("module-info" + CLASSES);
  }

  private static void train(String classPath, Path archive, Path directory)
      throws IOException, InterruptedException {
    Path errors = directory.resolve("errors");
    Path stores = directory.resolve("stores");
    List<String> options = new ArrayList<>(ChildJvm.SHORT_LIVED);
    options.addAll(ChildJvm.nativesIn(stores));
    options.add("-XX:ArchiveClassesAtExit=" + archive);
    Files.createDirectories(stores);
    try (ChildJvm child = ChildJvm.start(
        List.of(), options, classPath, TrainingChild.class, List.of(stores.toString()), errors)) {
      while (child.report().isPresent()) {}
      if (child.exitCode() != 0) {
        throw new IllegalStateException("training a child: " + child.errors());
      }
    }
    Files.delete(errors);
    CrashRun.deleteAll(stores);
  }

  /** Starts a child without a launcher, with the options of a short-lived JVM and more options. */
  ChildJvm start(List<String> more, Class<?> main, List<String> arguments, Path errors)
      throws IOException {
    List<String> options = new ArrayList<>(ChildJvm.SHORT_LIVED);
    options.addAll(more);
    if (Files.exists(archive)) {
      options.add("-XX:SharedArchiveFile=" + archive);
    }
    return ChildJvm.start(List.of(), options, classPath, main, arguments, errors);
  }
}
