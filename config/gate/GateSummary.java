// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
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
 * Prints a summary of the gate: tests by module, the slowest classes, the counts of the reliability
 * tests, each skipped test with its reason, and each failed test.
 *
 * <p>Usage: {@code java config/gate/GateSummary.java STATUS}, in the root of the project after a
 * build. {@code STATUS} is Maven's exit code.
 *
 * <p>The last line is {@code GATE PASSED}, or {@code GATE FAILED} with the reasons, and the exit code
 * is 0 or 1 accordingly. The gate fails if Maven failed, if a test failed, if no test ran, or if a
 * required test was skipped. In continuous integration (environment variable {@code CI} is {@code
 * true}) the tests of file systems, devices and system calls are required, unless the machine lacks
 * the feature that the skipped test names.
 */
final class GateSummary {

  private static final int SLOWEST = 12;
  private static final String ASSUMPTION = "Assumption failed: ";

  /** Class names of the tests that a machine must run if it can. */
  private static final Set<String> REQUIRED =
      Set.of("SystemCallOrderTest", "FullDiskTest", "LoopDeviceTest");

  /** The reasons of skipped tests, as {@code Machine} in src-it words them. */
  private static final String NEEDS_ROOT = "needs Linux and root (CAP_SYS_ADMIN)";

  private static final String NEEDS_LOOP_DEVICES = "needs loop devices";
  private static final String NEEDS_PROGRAM = "needs the program ";
  private static final String NEEDS_FILE_SYSTEM = "needs the file system ";

  /** The capability to mount, in the mask of {@code /proc/self/status}. */
  private static final long CAP_SYS_ADMIN = 1L << 21;

  private record Skipped(String module, String testClass, String test, String reason) {}

  private record Timed(String module, String testClass, double seconds) {}

  private final List<Skipped> skipped = new ArrayList<>();
  private final List<Timed> classes = new ArrayList<>();
  private final Map<String, Integer> tests = new TreeMap<>();
  private final Map<String, Double> seconds = new TreeMap<>();
  private final Map<String, Long> proofs = new TreeMap<>();
  private final List<String> failures = new ArrayList<>();

  public static void main(String[] args) {
    List<String> problems = new ArrayList<>();
    if (args.length != 1) {
      problems.add("the summary needs Maven's exit code as its argument");
    } else if (!args[0].equals("0")) {
      problems.add("Maven ended with " + args[0]);
    }
    try {
      problems.addAll(new GateSummary().summarize());
    } catch (Exception e) {
      e.printStackTrace(System.out);
      problems.add("the summary of the tests failed: " + e);
    }
    System.out.println(
        problems.isEmpty() ? "GATE PASSED" : "GATE FAILED: " + String.join("; ", problems));
    System.exit(problems.isEmpty() ? 0 : 1);
  }

  /** Reads the reports of all modules, prints the summary, and returns the problems. */
  private List<String> summarize() throws Exception {
    try (Stream<Path> all = Files.walk(Path.of(""), 4)) {
      for (Path folder : all.filter(path -> path.endsWith("target")).sorted().toList()) {
        read(folder);
      }
    }
    print();
    List<String> problems = new ArrayList<>();
    if (classes.isEmpty()) {
      problems.add("no test ran");
    }
    if (!failures.isEmpty()) {
      problems.add(failures.size() + " failed tests");
    }
    problems.addAll(wronglySkipped());
    return problems;
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

  /** Describes the required tests that were skipped although the machine can run them. */
  private Set<String> wronglySkipped() throws IOException {
    Set<String> wrong = new TreeSet<>();
    if ("true".equals(System.getenv("CI"))) {
      for (Skipped one : skipped) {
        if (REQUIRED.contains(one.testClass) && !isMissing(one.reason)) {
          wrong.add(one.testClass + " was skipped without need (" + one.reason + ")");
        }
      }
    }
    return wrong;
  }

  /** Whether the machine really lacks the feature that a skipped test names. */
  private static boolean isMissing(String reason) throws IOException {
    if (reason.equals(NEEDS_ROOT)) {
      return !mayMount();
    }
    if (reason.equals(NEEDS_LOOP_DEVICES)) {
      return !hasLoopDevices();
    }
    if (reason.startsWith(NEEDS_PROGRAM)) {
      return !isInstalled(reason.substring(NEEDS_PROGRAM.length()));
    }
    return reason.startsWith(NEEDS_FILE_SYSTEM)
        && !hasFileSystem(reason.substring(NEEDS_FILE_SYSTEM.length()));
  }

  private static boolean mayMount() throws IOException {
    Path status = Path.of("/proc/self/status");
    return Files.exists(status)
        && Files.readAllLines(status, UTF_8).stream()
            .filter(line -> line.startsWith("CapEff:"))
            .map(line -> line.substring("CapEff:".length()).strip())
            .anyMatch(mask -> (Long.parseUnsignedLong(mask, 16) & CAP_SYS_ADMIN) != 0);
  }

  private static boolean hasLoopDevices() {
    try (InputStream control = Files.newInputStream(Path.of("/dev/loop-control"))) {
      return true;
    } catch (IOException e) {
      return false; // missing, or forbidden in this container
    }
  }

  private static boolean isInstalled(String program) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  private static boolean hasFileSystem(String name) throws IOException {
    Path known = Path.of("/proc/filesystems");
    return Files.exists(known)
        && Files.readAllLines(known, UTF_8).stream()
            .anyMatch(line -> line.strip().replaceFirst("^nodev\\s+", "").equals(name));
  }
}
