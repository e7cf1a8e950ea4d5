// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the documents to the sources and to each other: links, names, the form of decisions. */
class DocumentsTest {
  private static final Path ROOT = SourceTrees.REPOSITORY;
  private static final Path DECISIONS = ROOT.resolve("docs/decisions");
  private static final Path BENCHMARKS = ROOT.resolve("docs/benchmarks");
  private static final int DECISION_CHARACTERS_MAX = 4_800;
  private static final int DECISION_COLUMNS_MAX = 100;

  private static final Pattern LINK = Pattern.compile("\\[[^]]*]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern CODE = Pattern.compile("`(\\w+)`");
  private static final Pattern INVARIANT =
      Pattern.compile("(?m)^\\| (I-\\d+) \\|[^|]*\\|([^|]*\\|[^|]*)\\|$");
  private static final Pattern TITLE = Pattern.compile("# (\\d+)\\. \\S.*");

  /** A test of ours, with a method or without. HBase's tests begin with "Test". */
  private static final Pattern TEST =
      Pattern.compile("`(?!Test)([A-Z]\\w*(?:Test|IT))(?:[#.](\\w+))?`");

  /** A class with its package below the root package, for example {@code shard.admin.Shards}. */
  private static final Pattern QUALIFIED_CLASS =
      Pattern.compile("(?<![\\w./])((?:[a-z]+\\.)+[A-Z]\\w+)");

  private static final List<Path> DOCUMENTS = SourceTrees.documents();

  @Test
  void linksLeadToFilesAndHeadings() {
    List<String> broken = new ArrayList<>();
    for (Path document : DOCUMENTS) {
      for (MatchResult link : matches(LINK, prose(document))) {
        String target = link.group(1);
        if (!target.matches("[a-z]+:.*") && !leadsSomewhere(document, target)) {
          broken.add(ROOT.relativize(document) + ": " + target);
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void namedTestsExist() {
    List<String> missing = new ArrayList<>();
    for (Path document : DOCUMENTS) {
      for (MatchResult test : matches(TEST, SourceTrees.read(document))) {
        String method = test.group(2) == null ? "" : "\\b" + test.group(2) + "\\(";
        if (!exists(test.group(1), method)) {
          missing.add(ROOT.relativize(document) + ": " + test.group());
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void guideNamesClassesThatExist() {
    Set<String> classes = SourceTrees.sources().stream()
        .filter(SourceTrees::isMain)
        .map(file -> file.toString().replace(".java", "").replace('/', '.'))
        .map(file -> file.replaceFirst(".*\\.io\\.github\\.rlsm\\.", ""))
        .collect(Collectors.toSet());
    String guide = SourceTrees.read(ROOT.resolve("ARCHITECTURE.md"));
    assertThat(matches(QUALIFIED_CLASS, guide).stream().map(name -> name.group(1)))
        .filteredOn(name -> !classes.contains(name))
        .isEmpty();
  }

  /** A row of the table of invariants: number, text, classes that keep it, tests that guard it. */
  @Test
  void invariantsAreCitedWhereTheyAreKeptAndGuarded() {
    List<String> missing = new ArrayList<>();
    for (MatchResult row : matches(INVARIANT, SourceTrees.read(ROOT.resolve("ARCHITECTURE.md")))) {
      for (MatchResult name : matches(CODE, row.group(2))) {
        if (!exists(name.group(1), row.group(1) + "\\b")) {
          missing.add(name.group(1) + " does not cite " + row.group(1));
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void decisionsAreNumberedWithoutHoles() throws IOException {
    List<Path> records = decisions();
    assertThat(IntStream.range(0, records.size()).boxed()).allSatisfy(i -> {
      Matcher title =
          TITLE.matcher(SourceTrees.read(records.get(i)).lines().findFirst().get());
      assertThat(title.matches()).as("title of %s", records.get(i)).isTrue();
      assertThat(title.group(1)).isEqualTo(Integer.toString(i + 1));
      assertThat(records.get(i).getFileName().toString())
          .startsWith(String.format(Locale.ROOT, "%04d-", i + 1));
    });
  }

  @Test
  void decisionsAreOfOneFormAndFitOnAPage() throws IOException {
    assertThat(decisions()).allSatisfy(file -> {
      String record = SourceTrees.read(file);
      assertThat(record.length()).as("characters").isLessThanOrEqualTo(DECISION_CHARACTERS_MAX);
      assertThat(matches(HEADING, record)).as("headings").hasSize(1);
      assertThat(record).contains("**Decision");
      assertThat(record.lines().filter(line -> !line.startsWith("|")))
          .allMatch(line -> line.length() <= DECISION_COLUMNS_MAX);
    });
  }

  @Test
  void everyFolderOfBenchmarksIsExplained() throws IOException {
    String explained = SourceTrees.read(BENCHMARKS.resolve("README.md"));
    try (Stream<Path> folders = Files.list(BENCHMARKS).filter(Files::isDirectory)) {
      assertThat(folders).allMatch(folder -> explained.contains("(" + folder.getFileName() + "/"));
    }
  }

  private static boolean leadsSomewhere(Path document, String target) {
    String[] parts = target.split("#", 2);
    Path file =
        parts[0].isEmpty() ? document : document.resolveSibling(parts[0]).normalize();
    if (!Files.exists(file)) {
      return false;
    }
    return parts.length == 1 || anchors(file).contains(parts[1]);
  }

  /** Returns the anchors that GitHub gives the headings of a document. */
  private static Set<String> anchors(Path document) {
    Set<String> anchors = new HashSet<>();
    for (MatchResult heading : matches(HEADING, prose(document))) {
      String text = LINK.matcher(heading.group(1)).replaceAll("").toLowerCase(Locale.ROOT);
      anchors.add(text.replaceAll("[^\\p{L}\\p{N} _-]", "").strip().replace(' ', '-'));
    }
    return anchors;
  }

  /** Returns whether a source of that name contains the expression. */
  private static boolean exists(String type, String expression) {
    Pattern pattern = Pattern.compile(expression);
    return SourceTrees.sources().stream()
        .filter(file -> typeName(file).equals(type))
        .anyMatch(file -> pattern.matcher(SourceTrees.read(file)).find());
  }

  /** Returns a document without its blocks of code. */
  private static String prose(Path document) {
    return SourceTrees.read(document).replaceAll("(?ms)^```.*?^```", "");
  }

  private static List<MatchResult> matches(Pattern pattern, String text) {
    return pattern.matcher(text).results().toList();
  }

  private static String typeName(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }

  private static List<Path> decisions() throws IOException {
    try (Stream<Path> files = Files.list(DECISIONS)) {
      return files.sorted().toList();
    }
  }
}
