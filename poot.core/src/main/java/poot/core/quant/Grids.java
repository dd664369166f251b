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
 * <p>Source: the grid tables of ggml-common.h, which are the definition of these formats.
 */
final class Grids {
    private static final byte[] TWO_BIT = {8, 25, 43};
    private static final byte[] THREE_BIT = {4, 12, 20, 28, 36, 44, 52, 62};
    private static final byte[] ODD = {1, 3, 5, 7, 9, 11, 13, 15};
    private static final byte[] TERNARY = {-1, 0, 1};

    /** IQ2_XXS: 256 points of 8 coordinates, flattened. */
    static final byte[] IQ2_XXS = even(256,
            "f/akmSCmQAAgCAYIACAATJgFYYIsCAQwBMAAAYAAaYJmAAIgAAIAACAEAAAAYEIECFIgQYAIAQAAIQAAQIKCAAIAQABAAIBAAAAAABMgAAgA"
                    + "BQAAABAAAAgAACYAATEAAEAEAAAMAAAAAJgAgQAACAACCAAAAAAACIAgAAAgAAAAAAAAABAAAMCkSRQmQIAAIAqACIAIAYAEAQAEBCAEAAAA"
                    + "AQAAAAAmQAEAAAIAQCEAAAACAAKkDAAgARAAAgAAAQAAAAgAAAAAGAABAAAAIAAAAQAgJAAgAAAACAAAAAIAAAAACRAAAYAAAAgAAIAAQAAA"
                    + "BQAAAABgAAAgAAAAAAAAAAABAAAAAAAAAAAAAAAAmAACgAAgCAIAAAACAAAAYAoECAAgACAAQAACCBAAgAAAAAAAAQAAAAAQAAAAABIkAAAQ"
                    + "gAAACAAAAAEAAAIIAQAAAAAQAAAAAAAAAAAAAEAAABAAAAAAAAAAACAAQAACAAEAAAAgAAAAAAAgAAAAAAAAAAAAAAAAAAAAAAIAAAI");

    /** IQ2_XS: 512 points of 8 coordinates, flattened. */
    static final byte[] IQ2_XS = even(512,
            "/9+/eRv+z5s0Ad6EKRAB/Jt3YQK8CRMiAJhAA4AA+FMmQYA4AQKABBAgAQBA4d+8iRPgTZgAwcAFCBAAwJuwQQKACRAAAIAgAAEAADMgCCAA"
                    + "BQAAAgAAAAgAAP+ECRAgTIAEBAAEEAAgAJqAAQAACABCAEAQEAAAAJQhAAEEAgAAQBAAQQAAGsC/+VMmwJswAQqIGRgAAIC3YQIEARMkAAAI"
                    + "EYAEAAAmQBEBAEIACQgACAAAAAC8SRMgAJgCAwAACAAEAAA4IQKEAJEAAIAEAEAAQAAiCIgAAAFAGAAAAAAAAAiACRBEEMAAAAAAAAAEAgAB"
                    + "gQAAAAAgQAEAQAAAAAAABAAAEAAAIAAAACAAQAQAeBMnwAB8AUICABAgAIABaQ4ECAggABAAAAggAAABQAICEAYgAgAAAAAAAgAkQhMgEBAA"
                    + "AQQAAQAAACCAAAoASQAAAEAAAAYAAAEAAAAAIAAAAgAQAAAABAAEALAhAgAAAQCABABoAQQAAQIACACAAAAAAAAAAACAAAIICwAASAIAADAA"
                    + "ADAAAAEB");

    /** IQ2_S: 1024 points of 8 coordinates, flattened. */
    static final byte[] IQ2_S = even(1024,
            "/9+/f1P/zfs2Z97EL1BF/Pv/59v8b//mTfgCbcIEeF//TRE4L9qECBBGQwCA4N+9f9fm//s3b8CWKQMmwPv2b96Ef/MmTIA2YQIEgN/iTRgA"
                    + "b8IEBCAkQCAAAN7XORIFzokzYQJE0BIAA/o2b8IEaBMmUAAwAQICAFAGTAAIcAIAAEAAggAgGMD/+3+mzfvzb96EedImDID/79+8Cf/mTZwA"
                    + "b8IECED2zZsgAd6ECRAITIAAAAC8f//mDfg3b8IEaBMmYADwb96ECfAmTIAAYAIFAADgTZgIAcAECAAAQEAAAAige9MmSIA3YQIEBBIgEAAQ"
                    + "bcIECAAmQAQEAgIAAAAETAAABBAEgAAAAAAAAgCAeFvmRRmwb96ACVgHTAAA4F+8CRPgTZgAEcAEDAAAQBkwAQCIARCAAAAAAjAIEPvkTZgA"
                    + "ZcBEAAAmQAAAgN6ECRAITIAAAFAEAAQEAJhAAQAADABQAAAAAAAACFBFTgAAEgAEIABAggYAGtAECAAQSEAAAAAAAAACAAAICAAAEAAACCAA"
                    + "GBYAQAAB");

    /** IQ1_S and IQ1_M: 2048 points of 8 coordinates -1, 0, 1, flattened. */
    static final byte[] IQ1 = points(TERNARY, 8, 2048, 1,
            "VSUUhaACQlEIRTGohiCKohoIKiAUhVAUgiBERSUVBaACgiCIGAAIgqADKqCIu6oKkKoLACIACqqMgqAIQFEIRSGIgFAUQlEIijAImKAIgCoI"
                    + "RSEUhSBIQlUIRQEswqAgiiYAKiSoqqII4q8ICCgoAKACQiiqKCCogCAKmwi5uqggyq6Joq6qOnzr6rq7gg64IrrK0w6SAiIAIiCoiroKggII"
                    + "ACpK4KI7IiArogCBQIGqiigIIgEUhVAVgiAJRSFUhaAIAiOoOiCEgiBUQlEIoiAIlVAUAioIuKiCgKBIAiAIgqJoogIoqyoIhSAIgjAIRUAA"
                    + "RSEUhaAAQlEARQEpggCKgioIoTAUBVAUgigIRSEUhSACAiCqKgAgErGKriiouqGqqHAAggoIAigiAoQAggBIgKDqsCqqwiCLuiLq2qeLi26o"
                    + "krAqqnKLikQMKiBIhEAoiioIqiDIzKIioq+aoOioAgACACqoiAAggKCLoqIouqCAgjIKur64uv7roqArogiKCijqogChMgIM+qTq3u8rqC6N"
                    + "vn7r+vd/v+Z9ut5p+yf/vyb6EunhiiIQqr4OhKoIsqgLgq7/uiTpg4AEYixo8qgKpCsAAioICOKqEgACgioKpiDJgomQgigAogCMgBMAgggI"
                    + "AGyKqqq7Aqa+iqDKAoBrly7QsukQghAuqt4oFdGlBAAKggCKgiAIAaEggqo5uiIyhKAJgBgAiqJiAoEURFEARSGsglAUQlEIqiAoqocKEioI"
                    + "RSEUBaAIQlEIRQEgAqBAoiIAiAAIoghqim64qqqAACAKguLIIiEIRFAUQlEJiiAVhVAUhgoIqioqgAAKQlEIRSGoAFAUQlEI4iCIggoYgioI"
                    + "qqKqirCLAgoqqiAogoCqCigIKACpiAIioL4LKLgIirpLsq7/uqT4rqogUihotqAw5oAKAigIImpigCAKAqqqK6rqoqmgoggIECCgiiIAgg4A"
                    + "RSEUhaAKQFEIRSGpBgBKqgIIpQAQDUQUgigIRSEUBQAIgoKs8iAAAACqCigKuiDqogIAgkgJKOkUABFLRVEARQGoAlAUQlEIiCQIiCgKQAgA"
                    + "RQEUBaACQFEIRQE");

    /** IQ3_XXS: 256 points of 4 coordinates, flattened. */
    static final byte[] IQ3_XXS = points(THREE_BIT, 4, 256, 1,
            "FYoFAgQAACgKBSIFAhAAARUCBYoAggAgggUgAAAAAAEACACAEIAAKIIAAAQABAAAAAAAIAAAEAAAUQAACAACAAoFChWAAQAABQIFAAAAAAAK"
                    + "BQIBAAAABAUAAQJAAEAAIgAAAAABAAAAABEAQAAAAiAAAAAAAAAAAAAEAAEAAAAFCkUCBAAAACoFAgEAAIgBBYIFgAEgAAACEQAAAAAAEQAA"
                    + "ACAACAAACACAAAIAABAAAAAAAAAAAApAAAAgAAAAAgUKAAABIAQFAAECUAAAAAoBIAAABAAEAAIACAAAAAAAAAABgAAABEEABAAAIAAAABAA"
                    + "QAAACAAAAAAIAAABABCAAKAAiAAAAAAAAAAAABAAAAGAAQBBAIAAAAAgAAAAEAAAAAACEAAAACAACAAAAQAAAAAAAAAAIAUAAQAAAAAABAAA"
                    + "AgAAAUEAQAAAIAAAABAABAAAAAQEAAAAAAgAAAABiAAAAAAEBAAAAgAAAAAAAAAAAAEAAAAAEAAEAAAAAAAQAFAAEAAAAAIAAAACAACAAAAA"
                    + "ABAAAAAAQQAAAAAAAAAAEAAAACAAAAAABAAAAAAACAAAAAAIAAIAAAAAAKgBAAQABAAAAABAAAEAAAAABAAAIAQAAAEgAAgAAAEAAAACAAIA"
                    + "AAAFABAAAAAAAAAAAAE");

    /** IQ3_S: 512 points of 4 coordinates, flattened. */
    static final byte[] IQ3_S = points(ODD, 4, 512, 1,
            "p1cjCKUKBZIXI4kiEAAiBKNJIhGkCgAJCCIFShAFgCIBiBIECQIAARQARQiiAEAIQAoAAgAEAAIVAEUIABEAABerBVIAUAIESxECCQIFAEEB"
                    + "pBEECSABBJIJghECAAQBKBQACkQRAAACCQIFAAIAAAAAkQBQAAAACgUCIAIABAGrVYoFKgWAKQWJJBIEAgAAkgAKgQKIABIlAhQKBAFAAIIA"
                    + "CSQCAAAkEAIEgAEIAAGFAAIAACACACACQAEIAQAABKoEKpQCCAIqEAoAAQABRAEEARQAAQAAAhGKAYogAAgIQgQCAAQRAAIFIAQQQAAIAEAA"
                    + "AAIAAAAKAAUgAAAAABEEkQQCAQABhAoEIQgiAAAKIQIIAYAEARAKBSIAAAAABQAQgAEAAAKgAAIAAAAEAAAIABAAAAEAACEAAQgCAAAEEQQA"
                    + "kQRAECoEAgQAAAAEAQIIQQAIAACEAYAAEAIgCBIAAQRAAAAAAARAAAAKAAAAAAAABAAAABQABAAAAAAAACoACgAAAQABAIEAAAAQAAAEABAE"
                    + "IAQBARACAAEAAAAAACAACAAEAAkAABAAAAEAIAAAAAEAAAAACgAAAAAAAJEABUABEAQABAIQACgAAAASQQIBAAIAAAQAACQACAAAIggBAAAB"
                    + "AAAAAAQABAAAAAQAAAIAAAAAAQ");

    /** Eight signs of a 7-bit code: the code, and a top bit that makes their number even. 1 is negative. */
    static int evenSigns(int code) {
        return code | (Integer.bitCount(code) & 1) << 7;
    }

    private static byte[] even(int count, String members) {
        return points(TWO_BIT, 8, count, 2, members);
    }

    private static byte[] points(byte[] levels, int dimensions, int count, int stride, String members) {
        BitSet set = BitSet.valueOf(Base64.getDecoder().decode(members));
        byte[] grid = new byte[count * dimensions];
        int at = 0;
        for (int n = set.nextSetBit(0); n >= 0; n = set.nextSetBit(n + 1)) {
            for (int j = 0, rest = n * stride; j < dimensions; j++, rest /= levels.length) {
                grid[at++] = levels[rest % levels.length];
            }
        }
        return grid;
    }

    private Grids() {
    }
}
