// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shipped;

import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Finds classes, methods and fields that a jar refers to but that do not exist on the class path of
 * its users. The class path is this jar and the jars that users have beside it.
 *
 * <p>Loads each class without initializing it, then looks up every class, field and method that the
 * class names. The JVM itself does that lookup lazily, at the first execution of an instruction, so
 * a missing class can stay hidden for long.
 *
 * <p>Threads: one.
 */
public final class JarLinkage implements AutoCloseable {

  private static final String CLASS_FILE = ".class";
  /** Signature-polymorphic: a call's descriptor differs from the declared one. */
  private static final Set<String> ANY_ARGUMENTS =
      Set.of("java/lang/invoke/MethodHandle", "java/lang/invoke/VarHandle");

  private final Path jar;
  private final URLClassLoader loader;
  private final Map<String, Optional<ClassFile>> read = new HashMap<>();
  private final SortedMap<String, SortedSet<String>> missing = new TreeMap<>();

  private JarLinkage(Path jar, List<Path> beside) throws MalformedURLException {
    this.jar = jar;
    URL[] urls = new URL[1 + beside.size()];
    urls[0] = jar.toUri().toURL();
    for (int i = 0; i < beside.size(); i++) {
      urls[1 + i] = beside.get(i).toUri().toURL();
    }
    // The parent has the classes of the JDK, but not the classes of the running test.
    this.loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
  }

  /**
   * Returns each missing class or member with the classes of the jar that refer to it. The result
   * is empty if the jar is complete.
   *
   * @param jar the jar to check
   * @param beside the other jars on its users' class path
   * @param packages prefixes of the internal names of the classes to check; empty to check all.
   *     Libraries in a jar may refer to optional classes that are missing
   */
  public static SortedMap<String, SortedSet<String>> missing(
      Path jar, List<Path> beside, String... packages) throws IOException {
    try (JarLinkage linkage = new JarLinkage(jar, beside)) {
      for (String name : classes(jar)) {
        if (packages.length == 0 || Stream.of(packages).anyMatch(name::startsWith)) {
          linkage.check(name);
        }
      }
      return linkage.missing;
    }
  }

  /** The names of a jar's classes in internal form, without classes for newer JDKs only. */
  public static List<String> classes(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.stream()
          .map(JarEntry::getName)
          .filter(name -> name.endsWith(CLASS_FILE) && !name.startsWith("META-INF/"))
          .filter(name -> !name.endsWith("-info.class"))
          .map(name -> name.substring(0, name.length() - CLASS_FILE.length()))
          .toList();
    }
  }

  private void check(String name) throws IOException {
    try {
      Class.forName(name.replace('/', '.'), false, loader);
    } catch (ClassNotFoundException | LinkageError e) {
      report(e.toString(), name);
    }
    ClassFile file =
        find(name).orElseThrow(() -> new IOException(jar + " does not give its class " + name));
    for (String type : file.types()) {
      if (find(type).isEmpty()) {
        report(type, name);
      }
    }
    for (ClassFile.Member member : file.members()) {
      boolean ownerIsKnown =
          member.owner().startsWith("[") || find(member.owner()).isPresent();
      if (ownerIsKnown && !has(member.owner(), member.nameAndDescriptor())) {
        report(member.owner() + "." + member.nameAndDescriptor(), name);
      }
    }
  }

  private void report(String what, String referrer) {
    missing.computeIfAbsent(what, any -> new TreeSet<>()).add(referrer);
  }

  /**
   * Whether a class or one of its supertypes declares the member. A missing superclass is reported
   * once.
   */
  private boolean has(String owner, String nameAndDescriptor) throws IOException {
    if (ANY_ARGUMENTS.contains(owner)) {
      return true;
    }
    Optional<ClassFile> file = find(owner.startsWith("[") ? "java/lang/Object" : owner);
    if (file.isEmpty() || file.get().declared().contains(nameAndDescriptor)) {
      return true;
    }
    for (String above : file.get().superclasses()) {
      if (has(above, nameAndDescriptor)) {
        return true;
      }
    }
    // An interface has Object's methods without naming it; a class names it as its superclass.
    return owner.startsWith("[") && nameAndDescriptor.startsWith("clone()");
  }

  private Optional<ClassFile> find(String name) throws IOException {
    Optional<ClassFile> known = read.get(name);
    if (known == null) {
      try (InputStream in = loader.getResourceAsStream(name + CLASS_FILE)) {
        known = in == null ? Optional.empty() : Optional.of(ClassFile.read(in));
      }
      read.put(name, known);
    }
    return known;
  }

  @Override
  public void close() throws IOException {
    loader.close();
  }
}
