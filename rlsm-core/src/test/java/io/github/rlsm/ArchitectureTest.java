// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Tests that the packages (rooms) of the engine import each other only in the documented order. */
class ArchitectureTest {
  private static final String ROOT = "io.github.rlsm";

  /**
   * The outermost room. It is the root package itself, so its name below {@link #ROOT} is empty.
   */
  private static final String DOOR = "";

  /** The rooms from the top down. A room may import any room of a lower floor. */
  private static final List<List<String>> FLOORS = List.of(
      List.of(DOOR),
      List.of("engine", "shard.admin"),
      List.of("background"),
      List.of("compact", "read", "shard.parts", "shard.redo"),
      List.of("versionset", "shard"),
      List.of("memory", "valuelog", "logdevice", "shard.worker"),
      List.of("version", "log", "table", "os"),
      List.of("io", "policy", "thread"),
      List.of("base"),
      List.of("kv"));

  /** The only imports between rooms of one floor. A compaction looks keys up. */
  private static final Map<String, String> MAY_IMPORT_BESIDE = Map.of("compact", "read");

  private static final Path MAIN =
      SourceTrees.REPOSITORY.resolve("rlsm-core/src/main/java/io/github/rlsm");
  private static final Path GUIDE = SourceTrees.REPOSITORY.resolve("ARCHITECTURE.md");

  /** A row of the guide's table of rooms: room, floor, concept, may import, main classes. */
  private static final Pattern ROW =
      Pattern.compile("\\| `?([\\w.()]+)`? \\| (\\d+) \\| [^|]+ \\| ([^|]+?) \\| [^|]+ \\|");

  /** The list of imports in the description of a package. */
  private static final Pattern MAY_IMPORT = Pattern.compile("May import: (.*?)\\.\\s");

  private static final Pattern NAMED_ROOM = Pattern.compile("\\{@code ([a-z.]+)}");
  private static final Pattern IMPORTED_ROOM =
      Pattern.compile("(?m)^import (?:static )?io\\.github\\.rlsm\\.([a-z.]+)\\.[A-Z]");

  private static final JavaClasses CLASSES = new ClassFileImporter()
      .withImportOption(new ImportOption.DoNotIncludeTests())
      .withImportOption(location -> !location.contains("-tests.jar"))
      .importPackages(ROOT);

  @Test
  void everyPackageHasAFloor() {
    assertThat(CLASSES.stream().map(ArchitectureTest::room).distinct())
        .isSubsetOf(FLOORS.stream().flatMap(List::stream).toList());
  }

  /** Compares the columns "floor" and "may import" of ARCHITECTURE.md with {@link #FLOORS}. */
  @Test
  void architectureGuideListsTheSameFloors() {
    Map<String, String> documented = SourceTrees.read(GUIDE)
        .lines()
        .map(ROW::matcher)
        .filter(Matcher::matches)
        .collect(Collectors.toMap(
            row -> row.group(1).replace("(root)", DOOR),
            row -> row.group(2) + " may import " + row.group(3)));
    Map<String, String> expected = new HashMap<>();
    for (int i = 0; i < FLOORS.size(); i++) {
      int floor = FLOORS.size() - i;
      for (String room : FLOORS.get(i)) {
        expected.put(room, floor + " may import " + documentedImports(room, floor));
      }
    }
    assertThat(documented).containsExactlyInAnyOrderEntriesOf(expected);
  }

  private static String documentedImports(String room, int floor) {
    String below = switch (floor) {
      case 1 -> "the JDK";
      case 2 -> "floor 1";
      default -> "floors 1–" + (floor - 1);
    };
    String beside = MAY_IMPORT_BESIDE.get(room);
    return beside == null ? below : below + ", `" + beside + "`";
  }

  @TestFactory
  Stream<DynamicTest> roomsImportOnlyWhatLiesBelow() {
    return IntStream.range(0, FLOORS.size())
        .boxed()
        .flatMap(floor -> FLOORS.get(floor).stream()
            .map(room -> dynamicTest(name(room), () -> checkImports(room, floor))));
  }

  private static void checkImports(String room, int floor) {
    String[] forbidden = FLOORS.stream()
        .flatMap(List::stream)
        .filter(other -> !other.equals(room))
        .filter(other -> !allowed(room, floor).contains(other))
        .map(ArchitectureTest::name)
        .toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage(name(room))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(forbidden)
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  /** The rooms that a room may import. */
  private static Set<String> allowed(String room, int floor) {
    Set<String> allowed = FLOORS.subList(floor + 1, FLOORS.size()).stream()
        .flatMap(List::stream)
        .collect(Collectors.toCollection(TreeSet::new));
    if (MAY_IMPORT_BESIDE.containsKey(room)) {
      allowed.add(MAY_IMPORT_BESIDE.get(room));
    }
    return allowed;
  }

  /**
   * Compares the list of imports in each package description with the imports of the sources. The
   * public packages, the first and the last floor, have no list.
   */
  @TestFactory
  Stream<DynamicTest> packageDescriptionsListTheImports() {
    return IntStream.range(1, FLOORS.size() - 1)
        .boxed()
        .flatMap(floor -> FLOORS.get(floor).stream()
            .map(room -> dynamicTest(name(room), () -> checkDescription(room, floor))));
  }

  private static void checkDescription(String room, int floor) {
    Path folder = MAIN.resolve(room.replace('.', '/'));
    String description = SourceTrees.read(folder.resolve("package-info.java"))
        .replaceAll("\\s*\\n \\*/?", " ")
        .replaceAll("\\s+", " ");
    Matcher list = MAY_IMPORT.matcher(description);
    assertThat(list.find()).as("%s has a list \"May import: ...\"", room).isTrue();
    Set<String> imported = SourceTrees.sources().stream()
        .filter(source -> source.getParent().equals(folder))
        .flatMap(source -> names(IMPORTED_ROOM, SourceTrees.read(source)))
        .filter(other -> !other.equals(room))
        .collect(Collectors.toCollection(TreeSet::new));
    assertThat(names(NAMED_ROOM, list.group(1)))
        .as("the list of imports in the description of %s", room)
        .containsExactlyInAnyOrderElementsOf(imported)
        .isSubsetOf(allowed(room, floor));
  }

  /** Returns the first group of each match. */
  private static Stream<String> names(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(match -> match.group(1));
  }

  @Test
  void roomsFormNoCycle() {
    slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void onlyOsTouchesFiles() {
    noClasses()
        .that()
        .resideOutsideOfPackage(name("os"))
        .should()
        .dependOnClassesThat(belongToAnyOf(FileChannel.class, Files.class))
        .because("tests must be able to crash, fill and corrupt every file")
        .check(CLASSES);
  }

  @Test
  void onlyOneRoomMakesThreads() {
    noClasses()
        .that()
        .resideOutsideOfPackage(name("thread"))
        .should()
        .callConstructorWhere(target(owner(belongToAnyOf(Thread.class))))
        .orShould()
        .dependOnClassesThat(belongToAnyOf(Executors.class))
        .because("threads are injected, so that tests control the schedule")
        .check(CLASSES);
  }

  @Test
  void noRoomReadsClocksOrChance() {
    noClasses()
        .should()
        .callMethodWhere(target(owner(belongToAnyOf(System.class)))
            .and(target(nameMatching("nanoTime|currentTimeMillis"))))
        .orShould()
        .dependOnClassesThat(belongToAnyOf(ThreadLocalRandom.class))
        .because("clocks and randomness are injected, so that a run can be replayed")
        .check(CLASSES);
  }

  @Test
  void theContractKnowsOnlyTheJdk() {
    classes()
        .that()
        .resideInAPackage(name("kv"))
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage("java..", "org.jspecify..").or(resideInAPackage(name("kv"))))
        .check(CLASSES);
  }

  @Test
  void optionalCompressorsStayInOneRoom() {
    noClasses()
        .that(not(resideInAPackage(name("table"))))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("net.jpountz..", "com.github.luben..")
        .because("a store without them on its class path must still open")
        .check(CLASSES);
  }

  private static String name(String room) {
    return room.equals(DOOR) ? ROOT : ROOT + "." + room;
  }

  private static String room(JavaClass type) {
    String name = type.getPackageName();
    return name.equals(ROOT) ? DOOR : name.substring(ROOT.length() + 1);
  }
}
