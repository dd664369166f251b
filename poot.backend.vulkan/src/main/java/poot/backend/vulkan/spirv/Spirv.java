package poot.backend.vulkan.spirv;

/** Numbers of the SPIR-V specification other than instructions: capabilities, storage classes, decorations, modes. */
final class Spirv {
    static final int MAGIC = 0x07230203;
    /** SPIR-V 1.6: what every Vulkan 1.3 device reads. */
    static final int VERSION_1_6 = 0x00010600;

    static final int CAPABILITY_SHADER = 1;
    static final int CAPABILITY_FLOAT16 = 9;
    static final int CAPABILITY_FLOAT64 = 10;
    static final int CAPABILITY_INT64 = 11;
    static final int CAPABILITY_INT16 = 22;
    static final int CAPABILITY_GROUP_NON_UNIFORM = 61;
    static final int CAPABILITY_GROUP_NON_UNIFORM_ARITHMETIC = 63;
    static final int CAPABILITY_GROUP_NON_UNIFORM_BALLOT = 64;
    static final int CAPABILITY_GROUP_NON_UNIFORM_SHUFFLE = 65;
    static final int CAPABILITY_STORAGE_BUFFER_16 = 4433;
    static final int CAPABILITY_STORAGE_BUFFER_8 = 4448;
    static final int CAPABILITY_DENORM_PRESERVE = 4464;
    static final int CAPABILITY_SIGNED_ZERO_INF_NAN_PRESERVE = 4466;
    static final int CAPABILITY_ROUNDING_MODE_RTE = 4467;
    static final int CAPABILITY_INT8 = 39;
    static final int CAPABILITY_VULKAN_MEMORY_MODEL = 5345;
    static final int CAPABILITY_PHYSICAL_STORAGE_BUFFER = 5347;
    static final int CAPABILITY_DOT_PRODUCT_INPUT_4X8_PACKED = 6018;
    static final int CAPABILITY_DOT_PRODUCT = 6019;
    static final int CAPABILITY_COOPERATIVE_MATRIX = 6022;
    static final int CAPABILITY_BFLOAT16_TYPE = 5116;
    static final int CAPABILITY_BFLOAT16_COOPERATIVE_MATRIX = 5118;

    static final int ADDRESSING_PHYSICAL_STORAGE_BUFFER_64 = 5348;
    static final int MEMORY_MODEL_VULKAN = 3;
    static final int EXECUTION_MODEL_COMPUTE = 5;
    static final int MODE_LOCAL_SIZE = 17;
    static final int MODE_DENORM_PRESERVE = 4459;
    static final int MODE_SIGNED_ZERO_INF_NAN_PRESERVE = 4461;
    static final int MODE_ROUNDING_RTE = 4462;

    static final int STORAGE_INPUT = 1;
    static final int STORAGE_WORKGROUP = 4;
    static final int STORAGE_PUSH_CONSTANT = 9;
    static final int STORAGE_PHYSICAL = 5349;

    static final int DECORATION_BLOCK = 2;
    static final int DECORATION_ARRAY_STRIDE = 6;
    static final int DECORATION_BUILTIN = 11;
    static final int DECORATION_OFFSET = 35;
    static final int DECORATION_NO_CONTRACTION = 42;

    static final int BUILTIN_NUM_WORKGROUPS = 24;
    static final int BUILTIN_WORKGROUP_ID = 26;
    static final int BUILTIN_LOCAL_INVOCATION_INDEX = 29;
    static final int BUILTIN_SUBGROUP_ID = 40;
    static final int BUILTIN_SUBGROUP_LOCAL_INVOCATION_ID = 41;

    static final int SCOPE_QUEUE_FAMILY = 5;
    static final int SCOPE_WORKGROUP = 2;
    static final int SCOPE_SUBGROUP = 3;
    static final int SEMANTICS_ACQUIRE_RELEASE = 0x8;
    static final int SEMANTICS_UNIFORM_MEMORY = 0x40;
    static final int SEMANTICS_WORKGROUP_MEMORY = 0x100;
    static final int SEMANTICS_MAKE_AVAILABLE = 0x2000;
    static final int SEMANTICS_MAKE_VISIBLE = 0x4000;

    static final int ACCESS_ALIGNED = 0x2;
    static final int ACCESS_NON_PRIVATE = 0x20;

    static final int MATRIX_A = 0;
    static final int MATRIX_B = 1;
    static final int MATRIX_ACCUMULATOR = 2;
    static final int MATRIX_ROW_MAJOR = 0;
    static final int MATRIX_COLUMN_MAJOR = 1;
    static final int MATRIX_SIGNED = 0xf;
    static final int ENCODING_BFLOAT16 = 0;

    static final int GROUP_REDUCE = 0;
    static final int PACKED_4X8 = 0;

    /** Instructions of the extended set GLSL.std.450. */
    static final int GLSL_F_ABS = 4;
    static final int GLSL_S_ABS = 5;
    static final int GLSL_ROUND_EVEN = 2;
    static final int GLSL_FLOOR = 8;
    static final int GLSL_EXP2 = 29;
    static final int GLSL_LOG2 = 30;
    static final int GLSL_SQRT = 31;
    static final int GLSL_INVERSE_SQRT = 32;
    static final int GLSL_U_MIN = 38;
    static final int GLSL_S_MIN = 39;
    static final int GLSL_U_MAX = 41;
    static final int GLSL_S_MAX = 42;
    static final int GLSL_FMA = 50;
    static final int GLSL_N_MIN = 79;
    static final int GLSL_N_MAX = 80;

    private Spirv() {}
}
