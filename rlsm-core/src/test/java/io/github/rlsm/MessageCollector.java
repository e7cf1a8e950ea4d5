// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Collects the texts of a source that a user may read: string expressions with at least two words,
 * and the descriptions of the store's options. Each text names its use: the class of the exception,
 * the log level, the annotation, or the method that builds the text.
 */
final class MessageCollector extends TreePathScanner<Void, Void> {
  private static final Pattern TWO_WORDS = Pattern.compile("\\b[A-Za-z]{2,}[,:;]? [a-z]{1,}\\b");
  private static final int EXPRESSION_MAX = 40;

  private final DocTrees trees;
  private final Set<String> found = new LinkedHashSet<>();

  private MessageCollector(DocTrees trees) {
    this.trees = trees;
  }

  /** Returns the texts of a source, in its order, each as {@code use: text}. */
  static Set<String> in(CompilationUnitTree unit, DocTrees trees) {
    MessageCollector collector = new MessageCollector(trees);
    collector.scan(unit, null);
    return collector.found;
  }

  @Override
  public Void visitMethod(MethodTree method, Void none) {
    TreePath builder = getCurrentPath().getParentPath();
    if (builder.getLeaf() instanceof ClassTree type
        && type.getSimpleName().contentEquals("Builder")
        && builder.getParentPath().getLeaf() instanceof ClassTree outer
        && outer.getSimpleName().contentEquals("RlsmOptions")
        && trees.getDocCommentTree(getCurrentPath()) != null) {
      StringBuilder text = new StringBuilder();
      trees.getDocCommentTree(getCurrentPath()).getFullBody().forEach(text::append);
      add("option " + method.getName(), plain(text.toString()));
    }
    return super.visitMethod(method, null);
  }

  @Override
  public Void visitBinary(BinaryTree tree, Void none) {
    if (tree.getKind() == Tree.Kind.PLUS && isText(tree)) {
      addIfProse(text(tree));
      // Texts inside the other operands count by themselves.
      scanOperands(tree);
      return null;
    }
    return super.visitBinary(tree, null);
  }

  @Override
  public Void visitLiteral(LiteralTree literal, Void none) {
    if (literal.getValue() instanceof String value) {
      addIfProse(value);
    }
    return null;
  }

  /** Returns Javadoc without its markup. */
  private static String plain(String javadoc) {
    return javadoc.replaceAll("\\{@\\w+ #?([^}]*)}", "$1").replaceAll("<[^>]+>", "");
  }

  private void scanOperands(ExpressionTree tree) {
    if (tree instanceof BinaryTree binary && binary.getKind() == Tree.Kind.PLUS) {
      scanOperands(binary.getLeftOperand());
      scanOperands(binary.getRightOperand());
    } else if (!(tree instanceof LiteralTree)) {
      scan(tree, null);
    }
  }

  private static boolean isText(ExpressionTree tree) {
    if (tree instanceof BinaryTree binary && binary.getKind() == Tree.Kind.PLUS) {
      return isText(binary.getLeftOperand()) || isText(binary.getRightOperand());
    }
    return tree.getKind() == Tree.Kind.STRING_LITERAL;
  }

  private static String text(ExpressionTree tree) {
    if (tree instanceof BinaryTree binary && binary.getKind() == Tree.Kind.PLUS) {
      return text(binary.getLeftOperand()) + text(binary.getRightOperand());
    }
    if (tree instanceof LiteralTree literal) {
      return String.valueOf(literal.getValue());
    }
    ExpressionTree inner =
        tree instanceof ParenthesizedTree parentheses ? parentheses.getExpression() : tree;
    String source = inner.toString().replaceAll("\\s+", " ");
    return "{" + (source.length() > EXPRESSION_MAX ? "…" : source) + "}";
  }

  private void addIfProse(String text) {
    if (TWO_WORDS.matcher(text).find()) {
      add(use(getCurrentPath()), text);
    }
  }

  private void add(String use, String text) {
    found.add(use + ": " + text.strip().replaceAll("\\s+", " "));
  }

  private static String use(TreePath path) {
    for (TreePath at = path; at != null; at = at.getParentPath()) {
      Tree tree = at.getLeaf();
      if (tree instanceof NewClassTree created) {
        String type = created.getIdentifier().toString();
        if (type.endsWith("Exception") || type.endsWith("Error")) {
          return type;
        }
      } else if (tree instanceof MethodInvocationTree call) {
        String method = call.getMethodSelect().toString();
        if (method.matches("(?s).*\\b(LOG|LOGGER)\\b.*")) {
          return "log";
        }
      } else if (tree instanceof AnnotationTree annotation) {
        return "@" + annotation.getAnnotationType();
      } else if (tree instanceof MethodTree method) {
        String name = method.getName().toString();
        return name.equals("<init>") ? "constructor" : name;
      }
    }
    return "constant";
  }
}
