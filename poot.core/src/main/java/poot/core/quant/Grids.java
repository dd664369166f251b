package poot.core.quant;

import java.util.Base64;
import java.util.BitSet;

/**
 * The code books of the IQ formats: which points of a small lattice a code may name.
 *
 * <p>A point is a vector of coordinates, each one of {@code levels.length} values; numbering the points in base
 * {@code levels.length} with the first coordinate least significant, every published grid turns out to be an
 * ascending subset. So a grid is kept as the set of its point numbers (a bit each, Base64), and entry <i>k</i> is
 * the <i>k</i>-th smallest point. The grids of IQ2 hold points of even number only (the coordinates' sum is
 * even), so their bit <i>n</i> stands for point 2<i>n</i>.
 *
 * <p>An entry holds its coordinates in its bytes, the first lowest.
 *
 * <p>Source: the grid tables of ggml-common.h, which are the definition of these formats.
 */
final class Grids {
    private static final byte[] TWO_BIT = {8, 25, 43};
    private static final byte[] THREE_BIT = {4, 12, 20, 28, 36, 44, 52, 62};
    private static final byte[] ODD = {1, 3, 5, 7, 9, 11, 13, 15};
    private static final byte[] TERNARY = {0, 1, 2};

    /** IQ2_XXS: 256 points of 8 coordinates. */
    static final long[] IQ2_XXS = even(256,
            "f/akmSCmQAAgCAYIACAATJgFYYIsCAQwBMAAAYAAaYJmAAIgAAIAACAEAAAAYEIECFIgQYAIAQAAIQAAQIKCAAIAQABA"
                    + "AIBAAAAAABMgAAgABQAAABAAAAgAACYAATEAAEAEAAAMAAAAAJgAgQAACAACCAAAAAAACIAgAAAgAAAAAAAAABAAAMCk"
                    + "SRQmQIAAIAqACIAIAYAEAQAEBCAEAAAAAQAAAAAmQAEAAAIAQCEAAAACAAKkDAAgARAAAgAAAQAAAAgAAAAAGAABAAAA"
                    + "IAAAAQAgJAAgAAAACAAAAAIAAAAACRAAAYAAAAgAAIAAQAAABQAAAABgAAAgAAAAAAAAAAABAAAAAAAAAAAAAAAAmAAC"
                    + "gAAgCAIAAAACAAAAYAoECAAgACAAQAACCBAAgAAAAAAAAQAAAAAQAAAAABIkAAAQgAAACAAAAAEAAAIIAQAAAAAQAAAA"
                    + "AAAAAAAAAEAAABAAAAAAAAAAACAAQAACAAEAAAAgAAAAAAAgAAAAAAAAAAAAAAAAAAAAAAIAAAI");

    /** IQ2_XS: 512 points of 8 coordinates. */
    static final long[] IQ2_XS = even(512,
            "/9+/eRv+z5s0Ad6EKRAB/Jt3YQK8CRMiAJhAA4AA+FMmQYA4AQKABBAgAQBA4d+8iRPgTZgAwcAFCBAAwJuwQQKACRAA"
                    + "AIAgAAEAADMgCCAABQAAAgAAAAgAAP+ECRAgTIAEBAAEEAAgAJqAAQAACABCAEAQEAAAAJQhAAEEAgAAQBAAQQAAGsC/"
                    + "+VMmwJswAQqIGRgAAIC3YQIEARMkAAAIEYAEAAAmQBEBAEIACQgACAAAAAC8SRMgAJgCAwAACAAEAAA4IQKEAJEAAIAE"
                    + "AEAAQAAiCIgAAAFAGAAAAAAAAAiACRBEEMAAAAAAAAAEAgABgQAAAAAgQAEAQAAAAAAABAAAEAAAIAAAACAAQAQAeBMn"
                    + "wAB8AUICABAgAIABaQ4ECAggABAAAAggAAABQAICEAYgAgAAAAAAAgAkQhMgEBAAAQQAAQAAACCAAAoASQAAAEAAAAYA"
                    + "AAEAAAAAIAAAAgAQAAAABAAEALAhAgAAAQCABABoAQQAAQIACACAAAAAAAAAAACAAAIICwAASAIAADAAADAAAAEB");

    /** IQ2_S: 1024 points of 8 coordinates. */
    static final long[] IQ2_S = even(1024,
            "/9+/f1P/zfs2Z97EL1BF/Pv/59v8b//mTfgCbcIEeF//TRE4L9qECBBGQwCA4N+9f9fm//s3b8CWKQMmwPv2b96Ef/Mm"
                    + "TIA2YQIEgN/iTRgAb8IEBCAkQCAAAN7XORIFzokzYQJE0BIAA/o2b8IEaBMmUAAwAQICAFAGTAAIcAIAAEAAggAgGMD/"
                    + "+3+mzfvzb96EedImDID/79+8Cf/mTZwAb8IECED2zZsgAd6ECRAITIAAAAC8f//mDfg3b8IEaBMmYADwb96ECfAmTIAA"
                    + "YAIFAADgTZgIAcAECAAAQEAAAAige9MmSIA3YQIEBBIgEAAQbcIECAAmQAQEAgIAAAAETAAABBAEgAAAAAAAAgCAeFvm"
                    + "RRmwb96ACVgHTAAA4F+8CRPgTZgAEcAEDAAAQBkwAQCIARCAAAAAAjAIEPvkTZgAZcBEAAAmQAAAgN6ECRAITIAAAFAE"
                    + "AAQEAJhAAQAADABQAAAAAAAACFBFTgAAEgAEIABAggYAGtAECAAQSEAAAAAAAAACAAAICAAAEAAACCAAGBYAQAAB");

    /** IQ1_S and IQ1_M: 2048 points of 8 coordinates -1, 0, 1, one added to each. */
    static final long[] IQ1 = points(TERNARY, 8, 2048, 1,
            "VSUUhaACQlEIRTGohiCKohoIKiAUhVAUgiBERSUVBaACgiCIGAAIgqADKqCIu6oKkKoLACIACqqMgqAIQFEIRSGIgFAU"
                    + "QlEIijAImKAIgCoIRSEUhSBIQlUIRQEswqAgiiYAKiSoqqII4q8ICCgoAKACQiiqKCCogCAKmwi5uqggyq6Joq6qOnzr"
                    + "6rq7gg64IrrK0w6SAiIAIiCoiroKggIIACpK4KI7IiArogCBQIGqiigIIgEUhVAVgiAJRSFUhaAIAiOoOiCEgiBUQlEI"
                    + "oiAIlVAUAioIuKiCgKBIAiAIgqJoogIoqyoIhSAIgjAIRUAARSEUhaAAQlEARQEpggCKgioIoTAUBVAUgigIRSEUhSAC"
                    + "AiCqKgAgErGKriiouqGqqHAAggoIAigiAoQAggBIgKDqsCqqwiCLuiLq2qeLi26okrAqqnKLikQMKiBIhEAoiioIqiDI"
                    + "zKIioq+aoOioAgACACqoiAAggKCLoqIouqCAgjIKur64uv7roqArogiKCijqogChMgIM+qTq3u8rqC6Nvn7r+vd/v+Z9"
                    + "ut5p+yf/vyb6EunhiiIQqr4OhKoIsqgLgq7/uiTpg4AEYixo8qgKpCsAAioICOKqEgACgioKpiDJgomQgigAogCMgBMA"
                    + "gggIAGyKqqq7Aqa+iqDKAoBrly7QsukQghAuqt4oFdGlBAAKggCKgiAIAaEggqo5uiIyhKAJgBgAiqJiAoEURFEARSGs"
                    + "glAUQlEIqiAoqocKEioIRSEUBaAIQlEIRQEgAqBAoiIAiAAIoghqim64qqqAACAKguLIIiEIRFAUQlEJiiAVhVAUhgoI"
                    + "qioqgAAKQlEIRSGoAFAUQlEI4iCIggoYgioIqqKqirCLAgoqqiAogoCqCigIKACpiAIioL4LKLgIirpLsq7/uqT4rqog"
                    + "UihotqAw5oAKAigIImpigCAKAqqqK6rqoqmgoggIECCgiiIAgg4ARSEUhaAKQFEIRSGpBgBKqgIIpQAQDUQUgigIRSEU"
                    + "BQAIgoKs8iAAAACqCigKuiDqogIAgkgJKOkUABFLRVEARQGoAlAUQlEIiCQIiCgKQAgARQEUBaACQFEIRQE");

    /** IQ3_XXS: 256 points of 4 coordinates. */
    static final long[] IQ3_XXS = points(THREE_BIT, 4, 256, 1,
            "FYoFAgQAACgKBSIFAhAAARUCBYoAggAgggUgAAAAAAEACACAEIAAKIIAAAQABAAAAAAAIAAAEAAAUQAACAACAAoFChWA"
                    + "AQAABQIFAAAAAAAKBQIBAAAABAUAAQJAAEAAIgAAAAABAAAAABEAQAAAAiAAAAAAAAAAAAAEAAEAAAAFCkUCBAAAACoF"
                    + "AgEAAIgBBYIFgAEgAAACEQAAAAAAEQAAACAACAAACACAAAIAABAAAAAAAAAAAApAAAAgAAAAAgUKAAABIAQFAAECUAAA"
                    + "AAoBIAAABAAEAAIACAAAAAAAAAABgAAABEEABAAAIAAAABAAQAAACAAAAAAIAAABABCAAKAAiAAAAAAAAAAAABAAAAGA"
                    + "AQBBAIAAAAAgAAAAEAAAAAACEAAAACAACAAAAQAAAAAAAAAAIAUAAQAAAAAABAAAAgAAAUEAQAAAIAAAABAABAAAAAQE"
                    + "AAAAAAgAAAABiAAAAAAEBAAAAgAAAAAAAAAAAAEAAAAAEAAEAAAAAAAQAFAAEAAAAAIAAAACAACAAAAAABAAAAAAQQAA"
                    + "AAAAAAAAEAAAACAAAAAABAAAAAAACAAAAAAIAAIAAAAAAKgBAAQABAAAAABAAAEAAAAABAAAIAQAAAEgAAgAAAEAAAAC"
                    + "AAIAAAAFABAAAAAAAAAAAAE");

    /** IQ3_S: 512 points of 4 coordinates. */
    static final long[] IQ3_S = points(ODD, 4, 512, 1,
            "p1cjCKUKBZIXI4kiEAAiBKNJIhGkCgAJCCIFShAFgCIBiBIECQIAARQARQiiAEAIQAoAAgAEAAIVAEUIABEAABerBVIA"
                    + "UAIESxECCQIFAEEBpBEECSABBJIJghECAAQBKBQACkQRAAACCQIFAAIAAAAAkQBQAAAACgUCIAIABAGrVYoFKgWAKQWJ"
                    + "JBIEAgAAkgAKgQKIABIlAhQKBAFAAIIACSQCAAAkEAIEgAEIAAGFAAIAACACACACQAEIAQAABKoEKpQCCAIqEAoAAQAB"
                    + "RAEEARQAAQAAAhGKAYogAAgIQgQCAAQRAAIFIAQQQAAIAEAAAAIAAAAKAAUgAAAAABEEkQQCAQABhAoEIQgiAAAKIQII"
                    + "AYAEARAKBSIAAAAABQAQgAEAAAKgAAIAAAAEAAAIABAAAAEAACEAAQgCAAAEEQQAkQRAECoEAgQAAAAEAQIIQQAIAACE"
                    + "AYAAEAIgCBIAAQRAAAAAAARAAAAKAAAAAAAABAAAABQABAAAAAAAACoACgAAAQABAIEAAAAQAAAEABAEIAQBARACAAEA"
                    + "AAAAACAACAAEAAkAABAAAAEAIAAAAAEAAAAACgAAAAAAAJEABUABEAQABAIQACgAAAASQQIBAAIAAAQAACQACAAAIggB"
                    + "AAABAAAAAAQABAAAAAQAAAIAAAAAAQ");

    /** Eight signs of a 7-bit code: the code, and a top bit that makes their number even. 1 is negative. */
    static int evenSigns(int code) {
        return code | (Integer.bitCount(code) & 1) << 7;
    }

    private static long[] even(int count, String members) {
        return points(TWO_BIT, 8, count, 2, members);
    }

    private static long[] points(byte[] levels, int dimensions, int count, int stride, String members) {
        BitSet set = BitSet.valueOf(Base64.getDecoder().decode(members));
        long[] grid = new long[count];
        int entry = 0;
        for (int n = set.nextSetBit(0); n >= 0; n = set.nextSetBit(n + 1), entry++) {
            for (int j = 0, rest = n * stride; j < dimensions; j++, rest /= levels.length) {
                grid[entry] |= (long) levels[rest % levels.length] << 8 * j;
            }
        }
        return grid;
    }

    private Grids() {
    }
}
