// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One call in a trace of {@code strace -f -y}, which shows a descriptor with its path.
 *
 * @param name name of the call
 * @param text arguments and result, as in the trace
 * @param begin number of the line where it began
 * @param end number of the line where it ended
 */
record SystemCall(String name, String text, int begin, int end) {

  private static final Pattern LINE = Pattern.compile("(\\d+) +(.*)");
  private static final Pattern UNFINISHED = Pattern.compile("(\\w+)\\((.*) <unfinished \\.\\.\\.>");
  private static final Pattern RESUMED = Pattern.compile("<\\.\\.\\. (\\w+) resumed>(.*)");
  private static final Pattern WHOLE = Pattern.compile("(\\w+)\\((.*)");
  private static final Pattern WRITTEN =
      Pattern.compile("^\\d+<[^>]*>, \"((?:[^\"\\\\]|\\\\.)*+)\", .*\\) += (\\d+)$");
  private static final Pattern CHARACTER = Pattern.compile("\\\\([0-7]{1,3}|.)|[^\\\\]");
  private static final Pattern DESCRIPTOR = Pattern.compile("^\\d+<([^>]*)>");

  private static final Pattern OFFSET = Pattern.compile(", (\\d+)\\) += \\d+$");
  private static final Pattern PRINTED = Pattern.compile("^2<[^>]*>, \"([^\"\\\\]*)\\\\n\"");

  /** Parses the successful calls, in the order of their ends. */
  static List<SystemCall> parse(List<String> trace) {
    List<SystemCall> calls = new ArrayList<>();
    Map<String, SystemCall> unfinished = new HashMap<>();
    for (int i = 0; i < trace.size(); i++) {
      Matcher line = LINE.matcher(trace.get(i));
      if (!line.matches()) {
        continue;
      }
      String thread = line.group(1);
      String text = line.group(2);
      Matcher begun = UNFINISHED.matcher(text);
      Matcher resumed = RESUMED.matcher(text);
      Matcher whole = WHOLE.matcher(text);
      if (begun.matches()) {
        unfinished.put(thread, new SystemCall(begun.group(1), begun.group(2), i, i));
      } else if (resumed.matches()) {
        SystemCall first = unfinished.remove(thread);
        if (first != null) {
          calls.add(new SystemCall(first.name, first.text + resumed.group(2), first.begin, i));
        }
      } else if (whole.matches()) {
        calls.add(new SystemCall(whole.group(1), whole.group(2), i, i));
      }
    }
    calls.removeIf(call -> call.text.contains("= -1 E"));
    return calls;
  }

  /** The path of the descriptor in the first argument; empty if it is not a descriptor. */
  String file() {
    Matcher descriptor = DESCRIPTOR.matcher(text);
    return descriptor.find() ? descriptor.group(1) : "";
  }

  /** The bytes of a write, from the trace's C string. */
  byte[] written() {
    Matcher data = WRITTEN.matcher(text);
    if (!data.find()) {
      throw new IllegalStateException("not a whole write: " + text);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Matcher character = CHARACTER.matcher(data.group(1));
    while (character.find()) {
      String escaped = character.group(1);
      if (escaped == null) {
        bytes.write(character.group().charAt(0));
      } else if (Character.isDigit(escaped.charAt(0))) {
        bytes.write(Integer.parseInt(escaped, 8));
      } else {
        int named = "tnvfr".indexOf(escaped.charAt(0));
        bytes.write(named < 0 ? escaped.charAt(0) : "\t\n\u000b\f\r".charAt(named));
      }
    }
    if (bytes.size() != Integer.parseInt(data.group(2))) {
      throw new IllegalStateException("bytes are missing in the trace: " + text);
    }
    return bytes.toByteArray();
  }

  /** The offset of a pwrite64. */
  long writtenAt() {
    Matcher offset = OFFSET.matcher(text);
    if (!offset.find()) {
      throw new IllegalStateException("no offset: " + text);
    }
    return Long.parseLong(offset.group(1));
  }

  /** The line that a write printed, without its end; empty if the call printed none. */
  String printed() {
    Matcher line = PRINTED.matcher(text);
    return name.equals("write") && line.find() ? line.group(1) : "";
  }

  /** A copy with another text. */
  SystemCall with(String otherText) {
    return new SystemCall(name, otherText, begin, end);
  }

  /** A copy that begins and ends on another line. */
  SystemCall at(int line) {
    return new SystemCall(name, text, line, line);
  }

  boolean isBefore(SystemCall other) {
    return end < other.begin;
  }
}
