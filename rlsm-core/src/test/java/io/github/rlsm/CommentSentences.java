// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Splits the comments of a source into sentences. A semicolon before a capital letter ends a
 * sentence. Blocks of code and tables are no sentences, and neither are comments that share a line
 * with code.
 */
final class CommentSentences {
  private static final Pattern COMMENT =
      Pattern.compile("^\\s*(?:/\\*\\*?|\\*(?!/)|//)\\s?(.*?)(?:\\*/)?\\s*$");
  private static final Pattern BLOCK = Pattern.compile("<(pre|table)\\b");
  private static final Pattern STARTS_PARAGRAPH = Pattern.compile("^(<p>|<li>|@|- )");
  private static final Pattern INLINE_TAG = Pattern.compile("\\{@\\w+ ([^}]*)}");
  private static final Pattern PACKAGE = Pattern.compile("\\b(?:[a-z]\\w*\\.)+(?=[A-Z])");
  private static final Pattern END = Pattern.compile("(?<=[.!?;])\\s+(?=[A-Z\"'(])");
  private static final Pattern WORD = Pattern.compile("[A-Za-z][\\w'-]*");

  private final List<Sentence> sentences = new ArrayList<>();
  private final StringBuilder paragraph = new StringBuilder();
  private int start;
  private String block = "";

  /**
   * A sentence.
   *
   * @param line the line at which its paragraph begins, from 1
   * @param text its text
   */
  record Sentence(int line, String text) {
    int words() {
      return (int) WORD.matcher(text).results().count();
    }
  }

  private CommentSentences() {}

  /** Returns the sentences of all comments of a Java source. */
  static List<Sentence> of(String source) {
    CommentSentences reader = new CommentSentences();
    List<String> lines = source.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      reader.read(i + 1, lines.get(i));
    }
    reader.endParagraph();
    return reader.sentences;
  }

  private void read(int line, String code) {
    Matcher comment = COMMENT.matcher(code);
    String text = comment.matches() ? comment.group(1).strip() : "";
    if (text.isEmpty() || inBlock(text)) {
      endParagraph();
      return;
    }
    if (STARTS_PARAGRAPH.matcher(text).find()) {
      endParagraph();
    }
    if (paragraph.isEmpty()) {
      start = line;
    }
    paragraph.append(text).append(' ');
  }

  /** Returns whether a line lies in a block of code or in a table. */
  private boolean inBlock(String text) {
    Matcher begin = BLOCK.matcher(text);
    if (block.isEmpty() && begin.find()) {
      block = begin.group(1);
    }
    if (block.isEmpty()) {
      return false;
    }
    if (text.contains("</" + block + ">")) {
      block = "";
    }
    return true;
  }

  private void endParagraph() {
    String text = INLINE_TAG.matcher(paragraph).replaceAll("$1");
    text = PACKAGE.matcher(text).replaceAll("").replaceAll("<[^>]+>", " ");
    text = text.strip().replaceAll("^@\\w+\\s+\\S+", "");
    for (String sentence : END.split(text, -1)) {
      sentences.add(new Sentence(start, sentence.strip()));
    }
    paragraph.setLength(0);
  }
}
