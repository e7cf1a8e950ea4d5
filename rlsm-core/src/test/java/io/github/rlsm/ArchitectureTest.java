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
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Holds the packages (rooms) of the engine to the order in which they may know each other. */
class ArchitectureTest {
  private static final String ROOT = "io.github.rlsm";

  /** The outermost room; it has no package name of its own below {@link #ROOT}. */
  private static final String DOOR = "";

  /** Each room, and the rooms it may import: always further down this table, never up. */
  private static final Map<String, List<String>> MAY_IMPORT = Map.ofEntries(
      Map.entry("kv", List.of()),
      Map.entry("base", List.of("kv")),
      Map.entry("io", List.of("base", "kv")),
      Map.entry("log", List.of("io", "base", "kv")),
      Map.entry("level", List.of("io", "base", "kv")),
      Map.entry("memory", List.of("log", "io", "base", "kv")),
      Map.entry("version", List.of("memory", "log", "level", "io", "base", "kv")),
      Map.entry("read", List.of("version", "memory", "log", "level", "io", "base", "kv")),
      Map.entry("recover", List.of("version", "memory", "log", "level", "io", "base", "kv")),
      Map.entry(
          "compact", List.of("read", "version", "memory", "log", "level", "io", "base", "kv")),
      Map.entry(
          "engine",
          List.of(
              "recover", "compact", "read", "version", "memory", "log", "level", "io", "base",
              "kv")),
      Map.entry(
          DOOR,
          List.of(
              "engine", "recover", "compact", "read", "version", "memory", "log", "level", "io",
              "base", "kv")));

  private static final JavaClasses CLASSES = new ClassFileImporter()
      .withImportOption(new ImportOption.DoNotIncludeTests())
      .withImportOption(location -> !location.contains("-tests.jar"))
      .importPackages(ROOT);

  @Test
  void everyPackageIsARoomInTheTable() {
    assertThat(CLASSES.stream().map(ArchitectureTest::room).distinct())
        .isSubsetOf(MAY_IMPORT.keySet());
  }

  @TestFactory
  Stream<DynamicTest> roomsImportOnlyWhatLiesBelow() {
    return MAY_IMPORT.keySet().stream()
        .map(room -> dynamicTest(name(room), () -> checkImports(room)));
  }

  private static void checkImports(String room) {
    String[] forbidden = MAY_IMPORT.keySet().stream()
        .filter(other -> !other.equals(room) && !MAY_IMPORT.get(room).contains(other))
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

  @Test
  void roomsFormNoCycle() {
    slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void onlyIoTouchesFiles() {
    noClasses()
        .that()
        .resideOutsideOfPackage(name("io"))
        .should()
        .dependOnClassesThat(belongToAnyOf(FileChannel.class, Files.class))
        .because("tests must be able to crash, fill and corrupt every file")
        .check(CLASSES);
  }

  @Test
  void onlyTheEngineMakesThreads() {
    noClasses()
        .that()
        .resideOutsideOfPackage(name("engine"))
        .should()
        .callConstructorWhere(target(owner(belongToAnyOf(Thread.class))))
        .orShould()
        .dependOnClassesThat(belongToAnyOf(Executors.class))
        .because("threads are injected, so that tests decide what runs when")
        .check(CLASSES);
  }

  @Test
  void onlyTheEngineReadsClocksAndChance() {
    noClasses()
        .that()
        .resideOutsideOfPackage(name("engine"))
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
        .that(not(resideInAPackage(name("level"))))
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
