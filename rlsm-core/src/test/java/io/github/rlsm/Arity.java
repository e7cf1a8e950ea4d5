// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParameterizedTypeTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import javax.lang.model.element.Modifier;

/**
 * The calls and declarations of a source that have many arguments or parameters. A record counts
 * with its components. Lists of any length do not count: variable arguments, and factories such as
 * {@code List.of}.
 */
final class Arity extends TreeScanner<Void, Void> {
  /** Methods of the JDK whose arguments are a list. */
  private static final Set<String> LISTS =
      Set.of("of", "asList", "format", "formatted", "printf", "ofEntries");

  private final CompilationUnitTree unit;
  private final DocTrees trees;
  private final IntPredicate tooMany;
  private final List<Found> found = new ArrayList<>();
  private String type = "";

  /**
   * A call or declaration.
   *
   * @param name {@code Type} for a constructor or record, {@code Type.method} for a method. A call
   *     does not show the type that it calls, so it has only the last part
   * @param count the number of arguments or parameters
   * @param place its file and line
   */
  record Found(String name, int count, String place) {
    boolean matches(String listed) {
      return listed.equals(name) || listed.endsWith("." + name);
    }
  }

  private Arity(CompilationUnitTree unit, DocTrees trees, IntPredicate tooMany) {
    this.unit = unit;
    this.trees = trees;
    this.tooMany = tooMany;
  }

  /** Returns what has too many arguments or parameters in a source. */
  static List<Found> in(CompilationUnitTree unit, DocTrees trees, IntPredicate tooMany) {
    Arity scanner = new Arity(unit, trees, tooMany);
    scanner.scan(unit, null);
    return scanner.found;
  }

  @Override
  public Void visitClass(ClassTree tree, Void none) {
    String outer = type;
    type = tree.getSimpleName().toString();
    if (tree.getKind() == Tree.Kind.RECORD) {
      // A record has no other fields than its components and static ones.
      long components = tree.getMembers().stream()
          .filter(member -> member instanceof VariableTree field
              && !field.getModifiers().getFlags().contains(Modifier.STATIC))
          .count();
      count(tree, type, (int) components);
    }
    super.visitClass(tree, null);
    type = outer;
    return null;
  }

  @Override
  public Void visitMethod(MethodTree method, Void none) {
    String name = method.getName().toString();
    count(
        method,
        name.equals("<init>") ? type : type + "." + name,
        method.getParameters().size());
    return super.visitMethod(method, null);
  }

  @Override
  public Void visitMethodInvocation(MethodInvocationTree call, Void none) {
    String name = simpleName(call.getMethodSelect());
    if (!LISTS.contains(name)) {
      boolean constructor = name.equals("this") || name.equals("super");
      count(call, constructor ? type + "." + name : name, call.getArguments().size());
    }
    return super.visitMethodInvocation(call, null);
  }

  @Override
  public Void visitNewClass(NewClassTree call, Void none) {
    count(call, simpleName(call.getIdentifier()), call.getArguments().size());
    return super.visitNewClass(call, null);
  }

  private void count(Tree tree, String name, int count) {
    if (tooMany.test(count)) {
      found.add(new Found(name, count, SourceTrees.place(unit, trees, tree)));
    }
  }

  private static String simpleName(ExpressionTree tree) {
    if (tree instanceof MemberSelectTree select) {
      return select.getIdentifier().toString();
    }
    if (tree instanceof IdentifierTree identifier) {
      return identifier.getName().toString();
    }
    return tree.toString();
  }

  private static String simpleName(Tree type) {
    return type instanceof ParameterizedTypeTree generic
        ? simpleName(generic.getType())
        : simpleName((ExpressionTree) type);
  }
}
