// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Prints what the gate ran: tests by module, the slowest classes, the counts of the reliability
 * tests, each skipped test with its reason, and each failed test.
 *
 * <p>Usage: {@code java config/gate/GateSummary.java}, in the root of the project after a build.
 *
 * <p>Exits with 1 if a required test was skipped. In continuous integration (environment variable
 * {@code CI} is {@code true}) on a machine that has root and strace, the tests of file systems and
 * of system calls are required.
 */
final class GateSummary {

  private static final int SLOWEST = 12;
  private static final String ASSUMPTION = "Assumption failed: ";

  /** Class names of the tests that a machine with root and strace must run. */
  private static final Set<String> NEED_ROOT_AND_STRACE =
      Set.of("SystemCallOrderTest", "FullDiskTest", "LoopDeviceTest");

  private record Skipped(String module, String testClass, String test, String reason) {}

  private record Timed(String module, String testClass, double seconds) {}

  private final List<Skipped> skipped = new ArrayList<>();
  private final List<Timed> classes = new ArrayList<>();
  private final Map<String, Integer> tests = new TreeMap<>();
  private final Map<String, Double> seconds = new TreeMap<>();
  private final Map<String, Long> proofs = new TreeMap<>();
  private final List<String> failures = new ArrayList<>();

  public static void main(String[] args) throws Exception {
    GateSummary summary = new GateSummary();
    try (Stream<Path> all = Files.walk(Path.of(""), 4)) {
      for (Path folder : all.filter(path -> path.endsWith("target")).sorted().toList()) {
        summary.read(folder);
      }
    }
    summary.print();
    System.exit(summary.missesRequiredTests() ? 1 : 0);
  }

  private void read(Path target) throws Exception {
    String module = target.getParent() == null ? "." : target.getParent().toString();
    for (String reports : List.of("surefire-reports", "failsafe-reports")) {
      Path folder = target.resolve(reports);
      if (Files.isDirectory(folder)) {
        try (Stream<Path> files = Files.list(folder)) {
          for (Path file : files.filter(GateSummary::isReport).sorted().toList()) {
            readReport(module, file);
          }
        }
      }
    }
    Path proof = target.resolve("proof.tsv");
    if (Files.exists(proof)) {
      for (String line : Files.readAllLines(proof, UTF_8)) {
        String[] fields = line.split("\t", -1);
        proofs.merge(fields[0] + " " + fields[1], Long.parseLong(fields[2]), Long::sum);
      }
    }
  }

  private static boolean isReport(Path file) {
    String name = file.getFileName().toString();
    return name.startsWith("TEST-") && name.endsWith(".xml");
  }

  private void readReport(String module, Path file)
      throws ParserConfigurationException, IOException, SAXException {
    Element suite = DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(file.toFile())
        .getDocumentElement();
    String testClass = suite.getAttribute("name");
    testClass = testClass.substring(testClass.lastIndexOf('.') + 1);
    double time = Double.parseDouble(suite.getAttribute("time"));
    classes.add(new Timed(module, testClass, time));
    seconds.merge(module, time, Double::sum);
    tests.merge(module, Integer.parseInt(suite.getAttribute("tests")), Integer::sum);
    NodeList cases = suite.getElementsByTagName("testcase");
    for (int i = 0; i < cases.getLength(); i++) {
      Element test = (Element) cases.item(i);
      for (String kind : List.of("failure", "error")) {
        if (test.getElementsByTagName(kind).getLength() > 0) {
          failures.add(module + " " + testClass + "." + test.getAttribute("name"));
        }
      }
      NodeList skips = test.getElementsByTagName("skipped");
      if (skips.getLength() > 0) {
        String reason = reason((Element) skips.item(0));
        skipped.add(new Skipped(module, testClass, test.getAttribute("name"), reason));
      }
    }
  }

  /** A condition gives its reason as an attribute; a failed assumption has it in a stack trace. */
  private static String reason(Element skip) {
    String message = skip.getAttribute("message");
    String text = message.isBlank() ? skip.getTextContent() : message;
    int assumption = text.indexOf(ASSUMPTION);
    String reason = assumption < 0 ? text : text.substring(assumption + ASSUMPTION.length());
    return reason.lines().findFirst().orElse("");
  }

  private void print() {
    System.out.println();
    System.out.println("== tests");
    int all = 0;
    for (Map.Entry<String, Integer> module : tests.entrySet()) {
      System.out.printf(
          Locale.ROOT,
          "%6d tests %7.1f s  %s%n",
          module.getValue(),
          seconds.get(module.getKey()),
          module.getKey());
      all += module.getValue();
    }
    System.out.println("== slowest test classes");
    classes.stream()
        .sorted(Comparator.comparingDouble(Timed::seconds).reversed())
        .limit(SLOWEST)
        .forEach(one -> System.out.printf(
            Locale.ROOT, "%14.1f s  %s %s%n", one.seconds, one.module, one.testClass));
    if (!proofs.isEmpty()) {
      System.out.println("== reliability tests (docs/reliability.md; ./check --full does more)");
      proofs.forEach((what, count) -> System.out.printf(Locale.ROOT, "%14d %s%n", count, what));
    }
    printSkipped();
    failures.forEach(test -> System.out.println("FAILED " + test));
    int passed = all - failures.size() - skipped.size();
    System.out.printf(
        Locale.ROOT,
        "%d passed, %d failed, %d skipped%n",
        passed,
        failures.size(),
        skipped.size());
  }

  private void printSkipped() {
    if (skipped.isEmpty()) {
      return;
    }
    System.out.println("== skipped tests, and why");
    Set<String> lines = new TreeSet<>();
    for (Skipped one : skipped) {
      String reason = one.reason.isBlank() ? "no reason given" : one.reason;
      lines.add("  " + one.module + " " + one.testClass + "." + one.test + ": " + reason);
    }
    lines.forEach(System.out::println);
  }

  private boolean missesRequiredTests() {
    if (!"true".equals(System.getenv("CI")) || !hasRootAndStrace()) {
      return false;
    }
    boolean misses = false;
    for (Skipped one : skipped) {
      if (NEED_ROOT_AND_STRACE.contains(one.testClass)) {
        System.out.println("check: " + one.testClass + " was skipped, but this machine has root"
            + " and strace; in continuous integration it must run");
        misses = true;
      }
    }
    return misses;
  }

  private static boolean hasRootAndStrace() {
    boolean hasStrace = Stream.of(System.getenv("PATH").split(":", -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "strace")));
    return hasStrace && "root".equals(System.getProperty("user.name"));
  }
}
