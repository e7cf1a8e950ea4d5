// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shipped;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parts of a class file that linking needs: declarations and references. The Java Virtual
 * Machine Specification, chapter 4, describes the format.
 *
 * @param superclasses the superclass and the interfaces
 * @param declared its fields and methods, each as name and descriptor
 * @param types every class named by a constant or by a descriptor, in internal form
 * @param members every field and method that its code refers to
 */
record ClassFile(
    List<String> superclasses, Set<String> declared, Set<String> types, List<Member> members) {

  private static final int MAGIC = 0xCAFEBABE;
  private static final Pattern TYPE_IN_DESCRIPTOR = Pattern.compile("L([^;<>()]+);");

  /**
   * A field or method that is referred to.
   *
   * @param owner the class that is searched first, or an array type
   * @param nameAndDescriptor name and descriptor in one string
   */
  record Member(String owner, String nameAndDescriptor) {}

  /** Reads a class file from its beginning. */
  static ClassFile read(InputStream bytes) throws IOException {
    DataInputStream in = new DataInputStream(bytes);
    if (in.readInt() != MAGIC) {
      throw new IOException("not a class file");
    }
    in.skipNBytes(4);
    Constants constants = Constants.read(in);
    in.skipNBytes(4);
    List<String> superclasses = new ArrayList<>();
    int superclass = in.readUnsignedShort();
    if (superclass != 0) {
      superclasses.add(constants.className(superclass));
    }
    int interfaces = in.readUnsignedShort();
    for (int i = 0; i < interfaces; i++) {
      superclasses.add(constants.className(in.readUnsignedShort()));
    }
    Set<String> types = new LinkedHashSet<>();
    Set<String> declared = new LinkedHashSet<>();
    declared.addAll(declarations(in, constants, types));
    declared.addAll(declarations(in, constants, types));
    constants.types(types);
    return new ClassFile(superclasses, declared, types, constants.members());
  }

  /** Reads all fields, or all methods. */
  private static List<String> declarations(
      DataInputStream in, Constants constants, Set<String> types) throws IOException {
    List<String> found = new ArrayList<>();
    int count = in.readUnsignedShort();
    for (int i = 0; i < count; i++) {
      in.skipNBytes(2);
      String name = constants.text(in.readUnsignedShort());
      String descriptor = constants.text(in.readUnsignedShort());
      found.add(name + descriptor);
      addTypes(descriptor, types);
      int attributes = in.readUnsignedShort();
      for (int j = 0; j < attributes; j++) {
        in.skipNBytes(2);
        in.skipNBytes(Integer.toUnsignedLong(in.readInt()));
      }
    }
    return found;
  }

  private static void addTypes(String descriptor, Set<String> types) {
    Matcher matcher = TYPE_IN_DESCRIPTOR.matcher(descriptor);
    while (matcher.find()) {
      types.add(matcher.group(1));
    }
  }

  /** The constant pool: for each index its tag and either its text or its two operands. */
  private static final class Constants {

    private static final int UTF8 = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final int CLASS = 7;
    private static final int FIELD = 9;
    private static final int INTERFACE_METHOD = 11;
    private static final int NAME_AND_TYPE = 12;
    private static final int METHOD_HANDLE = 15;
    private static final int METHOD_TYPE = 16;

    private final int[] tags;
    private final String[] texts;
    private final int[] first;
    private final int[] second;

    private Constants(int count) {
      tags = new int[count];
      texts = new String[count];
      first = new int[count];
      second = new int[count];
    }

    static Constants read(DataInputStream in) throws IOException {
      int count = in.readUnsignedShort();
      Constants pool = new Constants(count);
      for (int i = 1; i < count; i++) {
        int tag = in.readUnsignedByte();
        pool.tags[i] = tag;
        switch (tag) {
          case UTF8 -> pool.texts[i] = in.readUTF();
          case LONG, DOUBLE -> {
            in.skipNBytes(8);
            // Takes two indexes.
            i++;
          }
          case METHOD_HANDLE -> in.skipNBytes(3);
          // A class, a string, a method type, a module or a package.
          case CLASS, 8, METHOD_TYPE, 19, 20 -> pool.first[i] = in.readUnsignedShort();
          // Numbers, members, names with types, dynamic constants and calls.
          case 3, 4, FIELD, 10, INTERFACE_METHOD, NAME_AND_TYPE, 17, 18 -> {
            pool.first[i] = in.readUnsignedShort();
            pool.second[i] = in.readUnsignedShort();
          }
          default -> throw new IOException("constant of the unknown kind " + tag);
        }
      }
      return pool;
    }

    String text(int index) {
      return texts[index];
    }

    String className(int index) {
      return text(first[index]);
    }

    void types(Set<String> types) {
      for (int i = 1; i < tags.length; i++) {
        switch (tags[i]) {
          case CLASS -> {
            String name = className(i);
            if (name.startsWith("[")) {
              addTypes(name, types);
            } else {
              types.add(name);
            }
          }
          case METHOD_TYPE -> addTypes(text(first[i]), types);
          case NAME_AND_TYPE -> addTypes(text(second[i]), types);
          default -> {
            // Names no type.
          }
        }
      }
    }

    List<Member> members() {
      List<Member> members = new ArrayList<>();
      for (int i = 1; i < tags.length; i++) {
        if (tags[i] >= FIELD && tags[i] <= INTERFACE_METHOD) {
          int nameAndType = second[i];
          members.add(new Member(
              className(first[i]), text(first[nameAndType]) + text(second[nameAndType])));
        }
      }
      return members;
    }
  }
}
