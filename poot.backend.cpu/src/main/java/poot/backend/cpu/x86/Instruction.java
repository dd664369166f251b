package poot.backend.cpu.x86;

/**
 * The vector instructions in use. Prefix, map and opcode are those of the manuals; {@link Reach} is the unit by which
 * EVEX compresses a displacement of eight bits.
 */
public enum Instruction {
    VMOVUPS(0, 1, 0x10, 0, Reach.WHOLE),
    VMOVUPS_STORE(0, 1, 0x11, 0, Reach.WHOLE),
    VMOVD(1, 1, 0x6E, 0, Reach.DWORD),
    VPMOVDW_STORE(2, 2, 0x33, 0, Reach.HALF),
    VPXOR(1, 1, 0xEF, 0, Reach.BROADCAST),
    VPAND(1, 1, 0xDB, 0, Reach.BROADCAST),
    VPOR(1, 1, 0xEB, 0, Reach.BROADCAST),
    VPTERNLOGD(1, 3, 0x25, 0, Reach.BROADCAST),
    VPADDD(1, 1, 0xFE, 0, Reach.BROADCAST),
    VPSUBD(1, 1, 0xFA, 0, Reach.BROADCAST),
    VPADDB(1, 1, 0xFC, 0, Reach.WHOLE),
    VPSUBUSB(1, 1, 0xD8, 0, Reach.WHOLE),
    VPMAXSD(1, 2, 0x3D, 0, Reach.BROADCAST),
    VPMULLD(1, 2, 0x40, 0, Reach.BROADCAST),
    VPMADDWD(1, 1, 0xF5, 0, Reach.WHOLE),
    VPMULLW(1, 1, 0xD5, 0, Reach.WHOLE),
    VPMULHUW(1, 1, 0xE4, 0, Reach.WHOLE),
    VPMINUB(1, 1, 0xDA, 0, Reach.WHOLE),
    VPMAXUB(1, 1, 0xDE, 0, Reach.WHOLE),
    VPDPBUSD(1, 2, 0x50, 0, Reach.BROADCAST),
    VPDPWSSD(1, 2, 0x52, 0, Reach.BROADCAST),
    VPACKUSDW(1, 2, 0x2B, 0, Reach.BROADCAST),
    VPACKSSDW(1, 1, 0x6B, 0, Reach.BROADCAST),
    VCVTDQ2PS(0, 1, 0x5B, 0, Reach.BROADCAST),
    VCVTPS2DQ(1, 1, 0x5B, 0, Reach.BROADCAST),
    VCVTPH2PS(1, 2, 0x13, 0, Reach.HALF),
    VMULPS(0, 1, 0x59, 0, Reach.BROADCAST),
    VADDPS(0, 1, 0x58, 0, Reach.BROADCAST),
    VSUBPS(0, 1, 0x5C, 0, Reach.BROADCAST),
    VDIVPS(0, 1, 0x5E, 0, Reach.BROADCAST),
    VMAXPS(0, 1, 0x5F, 0, Reach.BROADCAST),
    VMINPS(0, 1, 0x5D, 0, Reach.BROADCAST),
    VMOVD_STORE(1, 1, 0x7E, 0, Reach.DWORD),
    VFMADD213PS(1, 2, 0xA8, 0, Reach.BROADCAST),
    VFMADD231PS(1, 2, 0xB8, 0, Reach.BROADCAST),
    VFNMADD231PS(1, 2, 0xBC, 0, Reach.BROADCAST),
    VBROADCASTSS(1, 2, 0x18, 0, Reach.DWORD),
    VPBROADCASTW(1, 2, 0x79, 0, Reach.WORD),
    VPBROADCASTD(1, 2, 0x58, 0, Reach.DWORD),
    VPBROADCASTQ(1, 2, 0x59, 1, Reach.QWORD),
    VPUNPCKLDQ(1, 1, 0x62, 0, Reach.BROADCAST),
    VPUNPCKHDQ(1, 1, 0x6A, 0, Reach.BROADCAST),
    VPUNPCKLQDQ(1, 1, 0x6C, 1, Reach.WHOLE),
    VPUNPCKHQDQ(1, 1, 0x6D, 1, Reach.WHOLE),
    VPSHUFB(1, 2, 0x00, 0, Reach.WHOLE),
    VPSHUFD(1, 1, 0x70, 0, Reach.WHOLE),
    VINSERTI128(1, 3, 0x38, 0, Reach.XMM),
    VEXTRACTI128(1, 3, 0x39, 0, Reach.XMM),
    VSHUFI32X4(1, 3, 0x43, 0, Reach.WHOLE),
    VINSERTI64X4(1, 3, 0x3A, 1, Reach.YMM),
    VEXTRACTI64X4(1, 3, 0x3B, 1, Reach.YMM),
    VPINSRW(1, 1, 0xC4, 0, Reach.WORD),
    VPINSRB(1, 3, 0x20, 0, Reach.BYTE),
    VPINSRD(1, 3, 0x22, 0, Reach.DWORD),
    VPMOVZXBD(1, 2, 0x31, 0, Reach.QUARTER),
    VPMOVZXWD(1, 2, 0x33, 0, Reach.HALF),
    VPMOVSXBD(1, 2, 0x21, 0, Reach.QUARTER),
    VPERMPS(1, 2, 0x16, 0, Reach.BROADCAST),
    VPERMQ_IMM(1, 3, 0x00, 1, Reach.WHOLE),
    VMASKMOVPS(1, 2, 0x2C, 0, Reach.WHOLE),
    VMASKMOVPS_STORE(1, 2, 0x2E, 0, Reach.WHOLE),
    VPSRLVD(1, 2, 0x45, 0, Reach.BROADCAST),
    VPSLLVD(1, 2, 0x47, 0, Reach.BROADCAST),
    VPSRLW(1, 1, 0x71, 0, Reach.WHOLE),
    VPSRLD(1, 1, 0x72, 0, Reach.WHOLE),
    VPSLLD(1, 1, 0x72, 0, Reach.WHOLE);

    /** What of an operand in memory is read: N of the compressed displacement. */
    enum Reach { BROADCAST, WHOLE, HALF, QUARTER, YMM, XMM, QWORD, DWORD, WORD, BYTE }

    final int prefix;
    final int map;
    final int opcode;
    final int wide;
    final Reach reach;

    Instruction(int prefix, int map, int opcode, int wide, Reach reach) {
        this.prefix = prefix;
        this.map = map;
        this.opcode = opcode;
        this.wide = wide;
        this.reach = reach;
    }

    /** Bytes an eight-bit displacement counts, for vectors of {@code width} bytes. */
    int unit(int width, boolean broadcast) {
        if (broadcast) {
            return 4;
        }
        return switch (reach) {
            case BROADCAST, WHOLE -> width;
            case HALF -> width / 2;
            case QUARTER -> width / 4;
            case YMM -> 32;
            case XMM -> 16;
            case QWORD -> 8;
            case DWORD -> 4;
            case WORD -> 2;
            case BYTE -> 1;
        };
    }
}
