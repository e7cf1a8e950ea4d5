// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bugs;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles the engine's source with a seeded bug in it, against the sound classes. */
final class BrokenEngine {

  private static final Path SOURCES = Path.of("src", "main", "java", "io", "github", "rlsm");

  private BrokenEngine() {}

  /** Returns the sound source file that a bug changes. */
  static String source(SeededBug bug) throws IOException {
    return Files.readString(SOURCES.resolve(bug.source()));
  }

  /**
   * Compiles the one source file that a bug changes.
   *
   * @param classes an empty directory for the class files
   * @throws AssertionError if the source has changed so that the bug does not fit, or the compiler
   *     rejects it
   */
  static void compile(SeededBug bug, Path classes) throws IOException {
    String broken = bug.applyTo(source(bug));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    List<String> options = List.of(
        "-d",
        classes.toString(),
        "-cp",
        System.getProperty("java.class.path"),
        "--release",
        "17",
        "-proc:none",
        "-implicit:none",
        "-nowarn",
        "-g");
    if (!compiler
        .getTask(messages, null, null, options, null, List.of(new Source(bug.source(), broken)))
        .call()) {
      throw new AssertionError("seeded bug " + bug.name() + " does not compile:\n" + messages);
    }
  }

  private static final class Source extends SimpleJavaFileObject {

    private final String text;

    Source(String name, String text) {
      super(URI.create("string:///" + name), JavaFileObject.Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
