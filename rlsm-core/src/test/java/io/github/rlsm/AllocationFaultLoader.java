// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.objectweb.asm.Opcodes.ANEWARRAY;
import static org.objectweb.asm.Opcodes.ASM9;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.NEW;
import static org.objectweb.asm.Opcodes.NEWARRAY;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Reloads the store's classes with a call of {@link AllocationFaults} beside each allocation.
 * Allocations are all new objects and arrays, all lambdas and string concatenations, and all calls
 * of the JDK's collections and buffers that may allocate. No agent is needed.
 *
 * <p>Test classes are reloaded without changes, because they must see the same store classes.
 * Static initialisers are not instrumented, because a failed initialiser makes its class
 * permanently unusable.
 */
public final class AllocationFaultLoader extends ClassLoader {

  private static final String OWN = "io.github.rlsm.";

  /** Classes whose methods may allocate. */
  private static final Pattern ALLOCATING_OWNERS = Pattern.compile(
      "java/util/(?!concurrent/atomic/|concurrent/locks/|zip/|Objects$|Arrays$|SplittableRandom$).*"
          + "|java/nio/ByteBuffer|java/lang/(String|StringBuilder)");

  /** Methods that do not allocate in any class. */
  private static final Set<String> NOT_ALLOCATING = Set.of(
      "<init>",
      "get",
      "put",
      "getInt",
      "getLong",
      "getShort",
      "putInt",
      "putLong",
      "putShort",
      "size",
      "isEmpty",
      "isPresent",
      "contains",
      "containsKey",
      "poll",
      "pollFirst",
      "peek",
      "remove",
      "removeLast",
      "clear",
      "length",
      "capacity",
      "position",
      "limit",
      "remaining",
      "order",
      "compare",
      "compareUnsigned",
      "charAt",
      "equals",
      "hasNext",
      "next",
      "orElseThrow",
      "array",
      "set",
      "nextSetBit",
      "highestOneBit",
      "numberOfTrailingZeros",
      "getAsLong",
      "getAsInt",
      "accept",
      "apply",
      "test",
      "numberOfLeadingZeros",
      "bitCount",
      "force");

  /** Creates a loader that finds the bytes of classes through another loader. */
  public AllocationFaultLoader(ClassLoader parent) {
    super(parent);
  }

  /** Returns a new instance of a test's scenario. Reloads the store's classes that it uses. */
  @SuppressWarnings("unchecked") // a scenario is a function of JDK types
  public static Function<long[], String> scenario(Class<? extends Function<long[], String>> type)
      throws ReflectiveOperationException {
    Class<?> loaded = new AllocationFaultLoader(type.getClassLoader()).loadClass(type.getName());
    return (Function<long[], String>) loaded.getConstructor().newInstance();
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      if (!name.startsWith(OWN) || name.equals(AllocationFaults.class.getName())) {
        return super.loadClass(name, resolve);
      }
      Class<?> known = findLoadedClass(name);
      return known != null ? known : define(name);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    URL file = getParent().getResource(name.replace('.', '/') + ".class");
    if (file == null) {
      throw new ClassNotFoundException(name);
    }
    try (InputStream in = file.openStream()) {
      byte[] bytes = in.readAllBytes();
      byte[] counted = isTest(file) ? bytes : counted(bytes);
      return defineClass(name, counted, 0, counted.length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isTest(URL file) {
    return file.getPath().contains("test-classes") || file.getPath().contains("-tests.jar");
  }

  private static byte[] counted(byte[] original) {
    ClassReader reader = new ClassReader(original);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(
        new ClassVisitor(ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String type, String signature, String[] exceptions) {
            MethodVisitor to = super.visitMethod(access, name, type, signature, exceptions);
            return name.equals("<clinit>") ? to : new Counted(to);
          }
        },
        0);
    return writer.toByteArray();
  }

  /**
   * Instruments a method with a call beside each allocating instruction. The call uses no stack.
   */
  private static final class Counted extends MethodVisitor {

    private static final String FAULTS = AllocationFaults.class.getName().replace('.', '/');

    Counted(MethodVisitor to) {
      super(ASM9, Objects.requireNonNull(to));
    }

    private void count() {
      super.visitMethodInsn(INVOKESTATIC, FAULTS, "allocating", "()V", false);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      if (opcode == ANEWARRAY) {
        count();
      }
      super.visitTypeInsn(opcode, type);
      if (opcode == NEW) {
        count(); // after NEW, because stack maps refer to the object by the offset of NEW
      }
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
      if (opcode == NEWARRAY) {
        count();
      }
      super.visitIntInsn(opcode, operand);
    }

    @Override
    public void visitMultiANewArrayInsn(String type, int dimensions) {
      count();
      super.visitMultiANewArrayInsn(type, dimensions);
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String type, Handle bootstrap, Object... arguments) {
      if (!type.startsWith("()")) { // without captured values the object is created only once
        count();
      }
      super.visitInvokeDynamicInsn(name, type, bootstrap, arguments);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String type, boolean isInterface) {
      boolean boxes = name.equals("valueOf") && owner.startsWith("java/lang/");
      boolean mayAllocate = opcode != Opcodes.INVOKESPECIAL
          && ALLOCATING_OWNERS.matcher(owner).matches()
          && !NOT_ALLOCATING.contains(name);
      if (boxes || mayAllocate) {
        count();
      }
      super.visitMethodInsn(opcode, owner, name, type, isInterface);
    }
  }
}
