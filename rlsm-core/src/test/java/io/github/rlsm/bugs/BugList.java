// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bugs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Reads seeded bugs from text. Lines that begin with {@code #} are comments. A bug is
 *
 * <pre>
 * bug    its name
 * breaks the rule that it breaks
 * in     the source file, for example log/LogRing.java
 * test   the test that catches it, for example log.DirectLogTest#method; may be repeated
 * with   a system property, for example rlsm.t1.points=2000; may be repeated
 * fails  a regular expression that is found in the message of the failed assertion
 * -      a removed line; several must be neighbours
 * +      an added line
 * </pre>
 */
final class BugList {

  private String name = "";
  private String breaks = "";
  private String source = "";
  private Pattern assertion = Pattern.compile("");
  private List<String> tests = new ArrayList<>();
  private List<String> removed = new ArrayList<>();
  private List<String> added = new ArrayList<>();
  private Map<String, String> properties = new LinkedHashMap<>();
  private final List<SeededBug> bugs = new ArrayList<>();

  private BugList() {}

  /** Reads all bugs of a resource in the package of this class. */
  static List<SeededBug> read(String resource) {
    try (InputStream in = Objects.requireNonNull(BugList.class.getResourceAsStream(resource))) {
      return parse(new String(in.readAllBytes(), UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Parses all bugs of a text. */
  static List<SeededBug> parse(String text) {
    BugList list = new BugList();
    text.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .forEach(list::line);
    list.end();
    return list.bugs;
  }

  private void line(String line) {
    int space = line.indexOf(' ');
    String word = space < 0 ? line : line.substring(0, space);
    String rest = space < 0 ? "" : line.substring(space).strip();
    switch (word) {
      case "bug" -> {
        end();
        name = rest;
      }
      case "breaks" -> breaks = rest;
      case "in" -> source = rest;
      case "test" -> tests.add(rest);
      case "with" -> properties.put(rest.substring(0, rest.indexOf('=')), after(rest, '='));
      case "fails" -> assertion = Pattern.compile(rest, Pattern.DOTALL);
      case "-" -> removed.add(rest);
      case "+" -> added.add(rest);
      default -> throw new IllegalArgumentException("bug " + name + ": " + line);
    }
  }

  private static String after(String text, char separator) {
    return text.substring(text.indexOf(separator) + 1);
  }

  private void end() {
    if (!name.isEmpty()) {
      if (breaks.isEmpty()
          || source.isEmpty()
          || tests.isEmpty()
          || removed.isEmpty()
          || assertion.pattern().isEmpty()) {
        throw new IllegalArgumentException("bug " + name + " is not complete");
      }
      bugs.add(new SeededBug(name, breaks, source, removed, added, tests, properties, assertion));
    }
    breaks = "";
    source = "";
    assertion = Pattern.compile("");
    tests = new ArrayList<>();
    removed = new ArrayList<>();
    added = new ArrayList<>();
    properties = new LinkedHashMap<>();
  }
}
