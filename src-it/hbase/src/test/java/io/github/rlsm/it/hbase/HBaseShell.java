// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it.hbase;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Executes lines of the HBase shell by the same calls of the admin API. HBase's own shell is Ruby
 * code in a module that the central repository does not have. This class knows the commands that
 * docs/hbase.md uses, and refuses everything else.
 *
 * <p>Threads: one.
 */
final class HBaseShell {

  /** A string, a name of a constant, or a sign. */
  private static final Pattern TOKEN = Pattern.compile("\\s*('[^']*'|=>|[{},]|\\w+)");

  private static final long MINUTES_MAX = 2;

  private final Admin admin;
  private final AsyncAdmin alterations;

  /** Creates a shell; {@code alterations} waits for the end of an alteration. */
  HBaseShell(Admin admin, AsyncAdmin alterations) {
    this.admin = admin;
    this.alterations = alterations;
  }

  /** Executes all lines. A line that ends with a comma continues on the next line. */
  void run(String lines)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    for (String statement : lines.replaceAll(",\\s*\\n", ", ").lines().toList()) {
      execute(tokens(statement));
    }
  }

  private static Deque<String> tokens(String statement) {
    Deque<String> tokens = new ArrayDeque<>();
    Matcher matcher = TOKEN.matcher(statement);
    int end = 0;
    while (matcher.find() && matcher.start() == end) {
      tokens.add(matcher.group(1));
      end = matcher.end();
    }
    if (end != statement.stripTrailing().length()) {
      throw new IllegalArgumentException("not understood: " + statement.substring(end));
    }
    return tokens;
  }

  private void execute(Deque<String> tokens)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    String command = tokens.remove();
    List<Object> arguments = arguments(tokens);
    TableName table = TableName.valueOf((String) arguments.get(0));
    int count = arguments.size();
    switch (command) {
      case "alter" -> alter(table, arguments.subList(1, count));
      case "snapshot" -> admin.snapshot((String) arguments.get(1), table);
      case "flush" -> admin.flush(only(table, count));
      case "major_compact" -> admin.majorCompact(only(table, count));
      default -> throw new IllegalArgumentException("unknown command: " + command);
    }
  }

  private static TableName only(TableName table, int arguments) {
    if (arguments != 1) {
      throw new IllegalArgumentException(arguments + " arguments");
    }
    return table;
  }

  /** Strings and maps; pairs outside of braces form one map, as in Ruby. */
  private static List<Object> arguments(Deque<String> tokens) {
    List<Object> arguments = new ArrayList<>();
    Map<String, Object> pairs = new LinkedHashMap<>();
    while (!tokens.isEmpty()) {
      Object value = value(tokens);
      if ("=>".equals(tokens.peek())) {
        tokens.remove();
        pairs.put((String) value, value(tokens));
      } else {
        arguments.add(value);
      }
      if (!tokens.isEmpty()) {
        expect(tokens, ",");
      }
    }
    if (!pairs.isEmpty()) {
      arguments.add(pairs);
    }
    return arguments;
  }

  private static Object value(Deque<String> tokens) {
    String token = tokens.remove();
    if (token.equals("{")) {
      return map(tokens);
    }
    return token.startsWith("'") ? token.substring(1, token.length() - 1) : token;
  }

  private static Map<String, Object> map(Deque<String> tokens) {
    Map<String, Object> map = new LinkedHashMap<>();
    String end = ",";
    while (end.equals(",")) {
      String key = (String) value(tokens);
      expect(tokens, "=>");
      map.put(key, value(tokens));
      end = tokens.remove();
    }
    if (!end.equals("}")) {
      throw new IllegalArgumentException("'}' expected, not " + end);
    }
    return map;
  }

  private static void expect(Deque<String> tokens, String sign) {
    String token = tokens.remove();
    if (!token.equals(sign)) {
      throw new IllegalArgumentException("'" + sign + "' expected, not " + token);
    }
  }

  /** A map with NAME alters this family, and one without NAME the table. */
  private void alter(TableName name, List<Object> changes)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(admin.getDescriptor(name));
    for (Object change : changes) {
      Map<?, ?> map = new LinkedHashMap<>((Map<?, ?>) change);
      Object family = map.remove("NAME");
      Map<?, ?> options = (Map<?, ?>) map.remove("CONFIGURATION");
      if (options == null || !map.isEmpty()) {
        throw new IllegalArgumentException("not understood: " + change);
      }
      if (family == null) {
        options.forEach((key, value) -> table.setValue((String) key, (String) value));
      } else {
        alterFamily(table, Bytes.toBytes((String) family), options);
      }
    }
    alterations.modifyTable(table.build()).get(MINUTES_MAX, TimeUnit.MINUTES);
  }

  private static void alterFamily(
      TableDescriptorBuilder table, byte[] name, Map<?, ?> configuration) {
    TableDescriptor present = table.build();
    if (!present.hasColumnFamily(name)) {
      throw new IllegalArgumentException("there is no family " + Bytes.toString(name));
    }
    ColumnFamilyDescriptorBuilder family =
        ColumnFamilyDescriptorBuilder.newBuilder(present.getColumnFamily(name));
    configuration.forEach((key, value) -> family.setConfiguration((String) key, (String) value));
    table.modifyColumnFamily(family.build());
  }
}
