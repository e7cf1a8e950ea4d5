// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.lang.model.element.Modifier;
import org.junit.jupiter.api.Test;

/** Holds the source of every module to the project's written limits; see CONTRIBUTING.md. */
class TidyTest {
  private static final int FILE_LINES_MAX = 600;
  private static final int LINE_LENGTH_MAX = 100;
  private static final int METHOD_LINES_MAX = 60;
  private static final int PARAMETERS_MAX = 6;
  private static final int SENTENCE_WORDS_MAX = 30;
  private static final String HEADER =
      "// Copyright 2026 The RLSM Authors\n// SPDX-License-Identifier: Apache-2.0\n";

  private static final Pattern MAY_BE_LONG = Pattern.compile("^(package|import) |https?://");
  // Split, so that the pattern does not match this file.
  private static final Pattern LEFT_OPEN =
      Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b|@Dis" + "abled");
  private static final Pattern VAGUE_TYPE =
      Pattern.compile(".*(Utils?|Helpers?|Managers?|Impl)([A-Z].*)?");
  private static final Pattern VAGUE_PACKAGE =
      Pattern.compile("(util|utils|common|helper|misc|impl|manager)");

  private static final Path ARITY =
      SourceTrees.REPOSITORY.resolve("rlsm-core/src/test/resources/io/github/rlsm/arity.txt");
  private static final List<Path> SOURCES = SourceTrees.sources();

  @Test
  void filesStartWithTheLicence() {
    assertThat(SOURCES).allMatch(file -> SourceTrees.read(file).startsWith(HEADER));
  }

  @Test
  void filesAreShort() {
    assertThat(SOURCES).allMatch(file -> SourceTrees.read(file).lines().count() <= FILE_LINES_MAX);
  }

  @Test
  void linesAreShort() {
    assertThat(linesWhere(line ->
            line.length() > LINE_LENGTH_MAX && !MAY_BE_LONG.matcher(line).find()))
        .isEmpty();
  }

  @Test
  void sourcesHaveNoOpenTasks() {
    assertThat(linesWhere(line -> LEFT_OPEN.matcher(line).find())).isEmpty();
  }

  /** Looks for markers of unresolved merges in sources and documents. */
  @Test
  void filesHaveNoConflictMarkers() {
    List<Path> documents = SourceTrees.documents();
    assertThat(documents).hasSizeGreaterThan(10);
    Predicate<String> conflict = line -> line.startsWith("<<<<<<" + "< ");
    assertThat(linesWhere(documents, conflict)).isEmpty();
    assertThat(linesWhere(conflict)).isEmpty();
  }

  @Test
  void namesAreNotVague() {
    assertThat(SOURCES)
        .map(SourceTrees.REPOSITORY::relativize)
        .noneMatch(file -> VAGUE_TYPE.matcher(typeName(file)).matches())
        .noneMatch(TidyTest::liesInAVaguePackage);
  }

  @Test
  void everyPackageIsDocumented() {
    assertThat(SOURCES.stream()
            .filter(SourceTrees::isMain)
            .filter(file -> !file.endsWith("module-info.java"))
            .map(Path::getParent)
            .distinct())
        .allMatch(folder -> Files.exists(folder.resolve("package-info.java")));
  }

  @Test
  void methodsAreShortAndPublicOnesDocumented() {
    List<String> problems = new ArrayList<>();
    SourceTrees.parse(
        SOURCES, (unit, trees) -> new MemberScanner(unit, trees, problems).scan(unit, null));
    assertThat(problems).isEmpty();
  }

  /**
   * Tests calls, constructors, methods and records of the main sources. {@code arity.txt} lists the
   * names that still exceed the limit. It may only shrink: a listed name that no longer exceeds the
   * limit fails the test too, and must be removed from the list.
   */
  @Test
  void parametersAreFew() {
    List<String> allowed = SourceTrees.read(ARITY)
        .lines()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .toList();
    List<Arity.Found> found = new ArrayList<>();
    SourceTrees.parse(
        SOURCES.stream().filter(SourceTrees::isMain).toList(),
        (unit, trees) -> found.addAll(Arity.in(unit, trees, n -> n > PARAMETERS_MAX)));
    assertThat(found)
        .as("calls and declarations with more than %d parameters", PARAMETERS_MAX)
        .filteredOn(each -> allowed.stream().noneMatch(each::matches))
        .isEmpty();
    assertThat(allowed)
        .as("names to remove from " + ARITY.getFileName() + ": they are within the limit now")
        .allMatch(name -> found.stream().anyMatch(each -> each.name().equals(name)));
  }

  @Test
  void sentencesInCommentsAreShort() {
    List<String> problems = new ArrayList<>();
    for (Path file : SOURCES) {
      for (CommentSentences.Sentence sentence : CommentSentences.of(SourceTrees.read(file))) {
        if (sentence.words() > SENTENCE_WORDS_MAX) {
          String place = SourceTrees.REPOSITORY.relativize(file) + ":" + sentence.line();
          problems.add(place + ": " + sentence.words() + " words: " + sentence.text());
        }
      }
    }
    assertThat(problems).isEmpty();
  }

  private static List<String> linesWhere(Predicate<String> bad) {
    return linesWhere(SOURCES, bad);
  }

  private static List<String> linesWhere(List<Path> files, Predicate<String> bad) {
    return files.stream()
        .flatMap(file -> {
          Path name = SourceTrees.REPOSITORY.relativize(file);
          List<String> lines = SourceTrees.read(file).lines().toList();
          return IntStream.range(0, lines.size())
              .filter(i -> bad.test(lines.get(i)))
              .mapToObj(i -> name + ":" + (i + 1) + ": " + lines.get(i));
        })
        .toList();
  }

  private static String typeName(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }

  private static boolean liesInAVaguePackage(Path file) {
    return IntStream.range(0, file.getNameCount() - 1)
        .anyMatch(i -> VAGUE_PACKAGE.matcher(file.getName(i).toString()).matches());
  }

  /**
   * Measures methods, and checks that public types and methods of the main sources have Javadoc.
   */
  private static final class MemberScanner extends TreePathScanner<Void, Void> {
    private final CompilationUnitTree unit;
    private final DocTrees trees;
    private final List<String> problems;
    private final Path file;

    MemberScanner(CompilationUnitTree unit, DocTrees trees, List<String> problems) {
      this.unit = unit;
      this.trees = trees;
      this.problems = problems;
      this.file = Path.of(unit.getSourceFile().toUri());
    }

    @Override
    public Void visitClass(ClassTree type, Void none) {
      if (isPublic(type.getModifiers())) {
        askForJavadoc(type, type.getSimpleName().toString());
      }
      return super.visitClass(type, null);
    }

    @Override
    public Void visitMethod(MethodTree method, Void none) {
      LineMap lines = unit.getLineMap();
      long first = lines.getLineNumber(trees.getSourcePositions().getStartPosition(unit, method));
      long end = trees.getSourcePositions().getEndPosition(unit, method);
      if (end >= 0 && lines.getLineNumber(end) - first >= METHOD_LINES_MAX) {
        problem(method, method.getName() + " is longer than " + METHOD_LINES_MAX + " lines");
      }
      Tree owner = getCurrentPath().getParentPath().getLeaf();
      boolean visible = isPublic(method.getModifiers()) || owner.getKind() == Tree.Kind.INTERFACE;
      if (visible && isPublic(((ClassTree) owner).getModifiers()) && !overrides(method)) {
        askForJavadoc(method, method.getName().toString());
      }
      return super.visitMethod(method, null);
    }

    private void askForJavadoc(Tree tree, String name) {
      TreePath path = getCurrentPath();
      if (SourceTrees.isMain(file) && trees.getDocCommentTree(path) == null) {
        problem(tree, name + " is public and has no Javadoc");
      }
    }

    private void problem(Tree tree, String text) {
      problems.add(SourceTrees.place(unit, trees, tree) + ": " + text);
    }

    private static boolean isPublic(ModifiersTree modifiers) {
      return modifiers.getFlags().contains(Modifier.PUBLIC);
    }

    private static boolean overrides(MethodTree method) {
      return method.getModifiers().getAnnotations().stream()
          .anyMatch(annotation -> annotation.getAnnotationType().toString().endsWith("Override"));
    }
  }
}
