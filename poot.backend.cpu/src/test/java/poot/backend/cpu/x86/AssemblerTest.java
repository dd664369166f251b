package poot.backend.cpu.x86;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every instruction, in every form, is laid down as another assembler does it: the table is {@code encodings.txt}. */
class AssemblerTest {
    private static final int DATA = 4;

    private static List<String[]> table() throws IOException {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                AssemblerTest.class.getResourceAsStream("encodings.txt"), StandardCharsets.US_ASCII))) {
            return lines.lines().filter(l -> !l.startsWith("#")).map(l -> l.split(" ")).toList();
        }
    }

    @Test
    void bytesAreThoseOfTheTable() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (String[] line : table()) {
            String got = HexFormat.of().formatHex(assemble(line));
            if (!got.equals(line[line.length - 1])) {
                wrong.add(String.join(" ", line) + " but was " + got);
            }
        }
        assertEquals(List.of(), wrong);
    }

    @Test
    void theTableHoldsEveryInstruction() throws IOException {
        Set<Instruction> left = EnumSet.allOf(Instruction.class);
        for (String[] line : table()) {
            if (!line[0].equals("-")) {
                left.remove(Instruction.valueOf(line[0]));
            }
        }
        assertEquals(Set.of(), left);
    }

    @Test
    void dataAndPlacesAreFilledIn() {
        Assembler a = new Assembler();
        Label end = a.label();
        a.jmp(end);
        a.align(16);
        a.bind(end);
        a.data(0x04030201);
        byte[] expected = new byte[20];
        Arrays.fill(expected, (byte) 0xCC);
        expected[0] = (byte) 0xE9;
        expected[1] = 11;
        expected[2] = expected[3] = expected[4] = 0;
        for (int i = 0; i < 4; i++) {
            expected[16 + i] = (byte) (1 + i);
        }
        assertArrayEquals(expected, a.bytes());
    }

    @Test
    void whatCannotBeEncodedIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> At.of(Register.RAX, Register.RSP, 1, 0));
        assertThrows(IllegalArgumentException.class, () -> At.of(Register.RAX, Register.RCX, 3, 0));
        Assembler a = new Assembler();
        At inside = At.of(a.label());
        assertThrows(IllegalArgumentException.class, () -> a.op(Instruction.VPINSRD, 16, 0, 0, inside, 1));
    }

    /** The bytes of one line, with what {@code ahead} and {@code back} point at left out. */
    private static byte[] assemble(String[] line) {
        Assembler a = new Assembler();
        Label back = a.here();
        a.data(0);
        Label ahead = a.label();
        if (line[0].equals("-")) {
            general(a, line, back, ahead);
        } else {
            vector(a, line, back, ahead);
        }
        int end = a.bytes().length;
        a.data(0);
        a.bind(ahead);
        return Arrays.copyOfRange(a.bytes(), DATA, end);
    }

    private static void vector(Assembler a, String[] l, Label back, Label ahead) {
        Instruction i = Instruction.valueOf(l[0]);
        int width = number(l[1]);
        int first = number(l[3]);
        int second = number(l[4]);
        switch (l[2]) {
            case "r" -> {
                if (l.length == 8) {
                    a.op(i, width, first, second, number(l[5]), number(l[6]));
                } else {
                    a.op(i, width, first, second, number(l[5]));
                }
            }
            case "m" -> {
                if (l.length == 8) {
                    a.op(i, width, first, second, at(l[5], back, ahead), number(l[6]));
                } else {
                    a.op(i, width, first, second, at(l[5], back, ahead));
                }
            }
            case "b" -> a.broadcast(i, width, first, second, at(l[5], back, ahead));
            case "k" -> a.masked(i, width, second, at(l[5], back, ahead), first);
            case "s" -> a.shift(i, width, first, second, number(l[5]), number(l[6]));
            default -> throw new IllegalArgumentException(l[2]);
        }
    }

    private static void general(Assembler a, String[] l, Label back, Label ahead) {
        switch (l[1]) {
            case "ret" -> a.ret();
            case "cpuid" -> a.cpuid();
            case "xgetbv" -> a.xgetbv();
            case "vzeroupper" -> a.vzeroupper();
            case "jmp" -> a.jmp(l[2].equals("back") ? back : ahead);
            case "jnz" -> a.jnz(l[2].equals("back") ? back : ahead);
            case "jz" -> a.jz(l[2].equals("back") ? back : ahead);
            case "push" -> a.push(register(l[2]));
            case "pop" -> a.pop(register(l[2]));
            case "dec" -> a.dec(register(l[2]));
            case "kmovw" -> a.kmovw(number(l[2]), register(l[3]));
            case "prefetch" -> a.prefetch(at(l[2], back, ahead));
            case "prefetchnear" -> a.prefetchNear(at(l[2], back, ahead));
            case "store" -> a.store(at(l[2], back, ahead), register(l[3]));
            default -> operands(a, l, back, ahead);
        }
    }

    private static void operands(Assembler a, String[] l, Label back, Label ahead) {
        Register to = register(l[3]);
        switch (l[1] + " " + l[2]) {
            case "mov r" -> a.mov(to, register(l[4]));
            case "mov i" -> a.mov(to, number(l[4]));
            case "mov m" -> a.mov(to, at(l[4], back, ahead));
            case "lea m" -> a.lea(to, at(l[4], back, ahead));
            case "add r" -> a.add(to, register(l[4]));
            case "add i" -> a.add(to, number(l[4]));
            case "add m" -> a.add(to, at(l[4], back, ahead));
            case "sub r" -> a.sub(to, register(l[4]));
            case "sub i" -> a.sub(to, number(l[4]));
            case "and i" -> a.and(to, number(l[4]));
            case "cmp i" -> a.cmp(to, number(l[4]));
            default -> throw new IllegalArgumentException(String.join(" ", l));
        }
    }

    private static int number(String s) {
        return Integer.parseInt(s);
    }

    private static Register register(String s) {
        return Register.valueOf(s.toUpperCase(Locale.ROOT));
    }

    /** base[+index*scale]±displacement, or a place in the code. */
    private static At at(String s, Label back, Label ahead) {
        if (s.equals("back") || s.equals("ahead")) {
            return At.of(s.equals("back") ? back : ahead);
        }
        int sign = Math.max(s.lastIndexOf('+'), s.lastIndexOf('-'));
        int displacement = number(s.substring(sign));
        String registers = s.substring(0, sign);
        int plus = registers.indexOf('+');
        if (plus < 0) {
            return At.of(register(registers), displacement);
        }
        int times = registers.indexOf('*');
        return At.of(register(registers.substring(0, plus)), register(registers.substring(plus + 1, times)),
                number(registers.substring(times + 1)), displacement);
    }
}
