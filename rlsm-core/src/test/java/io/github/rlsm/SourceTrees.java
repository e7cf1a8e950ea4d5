// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Finds the files of the repository, and parses its sources with the JDK's compiler. */
final class SourceTrees {
  /** The folder that holds the modules. */
  static final Path REPOSITORY = repository();

  private SourceTrees() {}

  /** Parses the files and gives each to the visitor, with access to positions and Javadoc. */
  static void parse(List<Path> files, BiConsumer<CompilationUnitTree, DocTrees> visitor) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, UTF_8)) {
      JavacTask task = (JavacTask) compiler.getTask(
          null,
          manager,
          null,
          List.of("-proc:none"),
          null,
          manager.getJavaFileObjectsFromPaths(files));
      DocTrees trees = DocTrees.instance(task);
      for (CompilationUnitTree unit : task.parse()) {
        visitor.accept(unit, trees);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns all Java sources under {@code <module>/src} of every module, sorted. */
  static List<Path> sources() {
    List<Path> modules = new ArrayList<>();
    for (Path folder : list(REPOSITORY)) {
      modules.add(folder);
      // Some modules lie inside another one: jmh-benchmarks/hbase, for example.
      modules.add(folder.resolve("hbase"));
      modules.add(folder.resolve("ycsb"));
    }
    return modules.stream()
        .map(module -> module.resolve("src"))
        .filter(Files::isDirectory)
        .flatMap(source -> walk(source).stream())
        .filter(file -> file.toString().endsWith(".java"))
        .sorted()
        .toList();
  }

  /** Returns whether a source lies in the folder {@code src/main} of its module. */
  static boolean isMain(Path file) {
    Path relative = REPOSITORY.relativize(file);
    for (int i = 0; i < relative.getNameCount(); i++) {
      if (relative.getName(i).toString().equals("src")) {
        return relative.getName(i + 1).toString().equals("main");
      }
    }
    return false;
  }

  /** Returns the documents next to the modules, inside the modules and in {@code docs}. */
  static List<Path> documents() {
    return list(REPOSITORY).stream()
        .filter(path -> !path.getFileName().toString().matches("\\..*|target"))
        .flatMap(path -> path.endsWith("docs") ? walk(path).stream() : near(path))
        .filter(file -> file.toString().endsWith(".md"))
        .sorted()
        .toList();
  }

  private static Stream<Path> near(Path path) {
    return Files.isDirectory(path) ? list(path).stream() : Stream.of(path);
  }

  /** Returns {@code file:line} of a tree, relative to the repository. */
  static String place(CompilationUnitTree unit, DocTrees trees, Tree tree) {
    long start = trees.getSourcePositions().getStartPosition(unit, tree);
    Path file = REPOSITORY.relativize(Path.of(unit.getSourceFile().toUri()));
    return file + ":" + unit.getLineMap().getLineNumber(start);
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path repository() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("LICENSE"))) {
      folder = folder.getParent();
    }
    return folder;
  }

  private static List<Path> list(Path folder) {
    try (Stream<Path> found = Files.list(folder)) {
      return found.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> walk(Path folder) {
    try (Stream<Path> found = Files.walk(folder)) {
      return found.filter(Files::isRegularFile).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
