// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares FORMAT.md with the notes of the classes that define bytes on disk. */
class FormatGuideTest {

  private static final Path GUIDE = SourceTrees.REPOSITORY.resolve("FORMAT.md");
  private static final Path MAIN =
      SourceTrees.REPOSITORY.resolve("rlsm-core/src/main/java/io/github/rlsm");

  /** A row of the guide's table of layouts: a section, and the class that defines its layout. */
  private static final Pattern LAYOUT =
      Pattern.compile("\\| ([^|`]+) \\| `([a-z.]+\\.[A-Z]\\w+)` \\|");

  /** A row of the guide's table of files, which ends with the class that writes the file. */
  private static final Pattern WRITER =
      Pattern.compile("\\| [^|]+ \\| [^|]+ \\| `([a-z.]+\\.[A-Z]\\w+)` \\|");

  private static final Pattern NOTE = Pattern.compile("<p>DO NOT CHANGE: these bytes are on disk\\."
      + " A new layout gets a new format version\\. FORMAT\\.md: \"([^\"]+)\"\\.");

  @Test
  void layoutsHaveTheNoteAndAreInTheGuide() {
    List<String> documented =
        rows(LAYOUT).map(row -> row.group(2) + ": " + row.group(1)).toList();
    assertThat(documented).hasSizeGreaterThan(15).doesNotHaveDuplicates();
    assertThat(notes()).containsExactlyInAnyOrderElementsOf(documented);
  }

  @Test
  void sectionsOfTheLayoutsExist() {
    List<String> headings = SourceTrees.read(GUIDE)
        .lines()
        .filter(line -> line.startsWith("##"))
        .map(line -> line.replaceFirst("#+ ", ""))
        .toList();
    assertThat(rows(LAYOUT).map(row -> row.group(1))).isSubsetOf(headings);
  }

  /** A class with a name of this form defines a layout, so it needs the note. */
  @Test
  void layoutClassesHaveTheNote() {
    List<String> withNote = notes().map(note -> note.replaceFirst(":.*", "")).toList();
    assertThat(sources().map(FormatGuideTest::className).filter(name -> name.endsWith("Layout")))
        .isSubsetOf(withNote);
  }

  @Test
  void writersOfTheFilesExist() {
    List<String> writers = rows(WRITER).map(row -> row.group(1)).toList();
    assertThat(writers).hasSizeGreaterThan(5);
    assertThat(sources().map(FormatGuideTest::className)).containsAll(writers);
  }

  private static Stream<Matcher> rows(Pattern pattern) {
    return SourceTrees.read(GUIDE).lines().map(pattern::matcher).filter(Matcher::matches);
  }

  /** Returns the classes with a note, each with the section that its note names. */
  private static Stream<String> notes() {
    return sources().flatMap(source -> {
      Matcher note = NOTE.matcher(SourceTrees.read(source).replaceAll("\\s+\\*? *", " "));
      return note.find() ? Stream.of(className(source) + ": " + note.group(1)) : Stream.empty();
    });
  }

  /** Returns the name of a class without the package of the engine. */
  private static String className(Path source) {
    return MAIN.relativize(source).toString().replace(".java", "").replace('/', '.');
  }

  private static Stream<Path> sources() {
    try (Stream<Path> files = Files.walk(MAIN)) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
