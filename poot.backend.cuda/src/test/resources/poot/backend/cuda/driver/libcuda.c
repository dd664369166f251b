/*
 * The entry points of the CUDA driver that poot uses, over the host's memory, for tests. Kernels are run by whoever
 * installs the hooks. It is as unforgiving as it can be:
 *   - fresh memory is NaN, with red zones around it that are looked at whenever something is awaited;
 *   - what is put into a stream runs only when it is awaited, a graph's nodes in the latest order their edges allow;
 *   - a call without a current context, a copy that leaves its memory, a handle that is no longer alive are errors;
 *   - the first failure of anything that ran stays: every call but those that release returns it.
 * Where FAIL_CALL is n, the n-th call from then on of those that can fail does nothing and returns FAIL_CODE.
 * Copies and fills of a graph are no longer than a pitch may be, whatever their memory.
 * Where DRY is set kernels are counted and not run. Handles are counted, so that tests can see that all are given back.
 * Built with -DOLDER it has what drivers of CUDA 11.0 had; with -DLACKING one needed entry point is missing.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int CUresult;
typedef uint64_t CUdeviceptr;

enum {
    SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_INITIALIZED = 3, NO_DEVICE = 100, INVALID_DEVICE = 101,
    INVALID_CONTEXT = 201, INVALID_PTX = 218, INVALID_HANDLE = 400, NOT_FOUND = 500, ILLEGAL_ADDRESS = 700, LAUNCH_FAILED = 719
};

/* Settings and counters, by number; TestDriver has the same. */
enum {
    DEVICES, VERSION, MAJOR, MINOR, MEMORY, FAIL_RUN, FAIL_INIT, ALLOCATIONS, PINNED, STREAMS, EVENTS, MODULES, GRAPHS,
    EXECUTABLES, CONTEXTS, USED, LAUNCHES, REPLAYS, DRY, FAIL_CALL, FAIL_CODE, KEPT
};

static int64_t numbers[KEPT] = {1, 13000, 9, 0, 8LL << 30};

struct hooks {
    int64_t (*load)(const char *text, char *log, int64_t log_bytes);
    int32_t (*function)(int64_t module, const char *name);
    void (*unload)(int64_t module);
    int64_t (*pack)(int64_t module, void **parameters, void *to, int64_t most);
    int32_t (*launch)(int64_t module, int32_t x, int32_t y, int32_t z, int32_t threads, int32_t shared, void *parameters, int64_t bytes);
    void (*allocated)(uint64_t address, int64_t bytes);
    void (*freed)(uint64_t address);
};

static struct hooks hooks;

void poot_test_hooks(const struct hooks *with) { hooks = *with; }
void poot_test_set(int32_t what, int64_t value) { numbers[what] = value; }
int64_t poot_test_get(int32_t what) { return numbers[what]; }

#define ZONE 256
#define RED 0xa5
#define MOST_PARAMETERS 4352
#define MOST_PITCH 0x7fffffff

struct memory { struct memory *next; uint8_t *raw; uint64_t address; int64_t bytes; int pinned; };
struct module { int64_t id; int32_t shared; int alive; };
struct node {
    enum { KERNEL, COPY, CLEAR, NOTHING, REPLAY, MARK } kind;
    struct module *module;
    int32_t x, y, z, threads, shared;
    int64_t parameter_bytes;
    uint8_t parameters[MOST_PARAMETERS];
    uint64_t to, from;
    int64_t bytes;
    struct node **after;
    size_t after_count;
    int done;
    void *extra;
};
struct work { struct node **nodes; size_t count; };
struct stream { struct work queue; };
struct event { int pending; };

static struct memory *memories;
static struct stream *streams[64];
static int started;
static int context;
static _Thread_local int current;
static CUresult sticky;

/* Whether this call is the one that is to fail. */
static CUresult chosen(void) {
    if (numbers[FAIL_CALL] <= 0 || --numbers[FAIL_CALL] > 0) return SUCCESS;
    return (CUresult) numbers[FAIL_CODE];
}

static CUresult ready(void) {
    CUresult fails = chosen();
    if (fails) return fails;
    if (!started) return NOT_INITIALIZED;
    if (sticky) return sticky;
    return current && numbers[CONTEXTS] > 0 ? SUCCESS : INVALID_CONTEXT;
}
#define READY do { CUresult r_ = ready(); if (r_) return r_; } while (0)

static struct memory *holding(uint64_t address, int64_t bytes) {
    for (struct memory *m = memories; m; m = m->next)
        if (address >= m->address && address + (uint64_t) bytes <= m->address + (uint64_t) m->bytes) return m;
    return NULL;
}

static int intact(const struct memory *m) {
    for (int i = 0; i < ZONE; i++)
        if (m->raw[i] != RED || ((uint8_t *) m->address)[m->bytes + i] != RED) return 0;
    return 1;
}

static CUresult allocate(uint64_t *out, int64_t bytes, int pinned) {
    if (bytes <= 0) return INVALID_VALUE;
    if (!pinned && numbers[USED] + bytes > numbers[MEMORY]) return OUT_OF_MEMORY;
    struct memory *m = calloc(1, sizeof *m);
    void *raw;
    if (!m || posix_memalign(&raw, 4096, (size_t) bytes + 2 * ZONE)) { free(m); return OUT_OF_MEMORY; }
    m->raw = raw;
    m->address = (uint64_t) raw + ZONE;
    m->bytes = bytes;
    m->pinned = pinned;
    memset(raw, RED, (size_t) bytes + 2 * ZONE);
    memset((void *) m->address, 0xff, (size_t) bytes);
    m->next = memories;
    memories = m;
    numbers[pinned ? PINNED : ALLOCATIONS]++;
    if (!pinned) numbers[USED] += bytes;
    hooks.allocated(m->address, bytes);
    *out = m->address;
    return SUCCESS;
}

static CUresult release(uint64_t address, int pinned) {
    for (struct memory **at = &memories; *at; at = &(*at)->next) {
        struct memory *m = *at;
        if (m->address != address || m->pinned != pinned) continue;
        CUresult r = intact(m) ? SUCCESS : ILLEGAL_ADDRESS;
        *at = m->next;
        hooks.freed(address);
        numbers[pinned ? PINNED : ALLOCATIONS]--;
        if (!pinned) numbers[USED] -= m->bytes;
        memset(m->raw, 0xff, (size_t) m->bytes + 2 * ZONE);
        free(m->raw);
        free(m);
        return r;
    }
    return INVALID_VALUE;
}

static CUresult push(struct work *w, struct node *n) {
    struct node **grown = realloc(w->nodes, (w->count + 1) * sizeof *grown);
    if (!grown) return OUT_OF_MEMORY;
    w->nodes = grown;
    w->nodes[w->count++] = n;
    return SUCCESS;
}

static struct node *fresh(int kind) {
    struct node *n = calloc(1, sizeof *n);
    if (n) n->kind = kind;
    return n;
}

static void drop(struct work *w) {
    for (size_t i = 0; i < w->count; i++) { free(w->nodes[i]->after); free(w->nodes[i]); }
    free(w->nodes);
    w->nodes = NULL;
    w->count = 0;
}

static CUresult run(struct node *n);

/* Of the nodes whose edges allow it, always the last. */
static CUresult replay(struct work *w) {
    for (size_t i = 0; i < w->count; i++) w->nodes[i]->done = 0;
    for (size_t left = w->count; left > 0; left--) {
        struct node *next = NULL;
        for (size_t i = w->count; i-- > 0 && !next;) {
            struct node *n = w->nodes[i];
            int waits = n->done;
            for (size_t k = 0; k < n->after_count && !waits; k++) waits = !n->after[k]->done;
            if (!waits) next = n;
        }
        if (!next) return INVALID_VALUE;
        CUresult r = run(next);
        if (r) return r;
        next->done = 1;
    }
    return SUCCESS;
}

static CUresult run(struct node *n) {
    switch (n->kind) {
    case KERNEL:
        if (!n->module->alive) return INVALID_HANDLE;
        if (n->shared > 48 * 1024 && n->shared > n->module->shared) return INVALID_VALUE;
        if (numbers[FAIL_RUN]) { numbers[FAIL_RUN] = 0; return LAUNCH_FAILED; }
        numbers[LAUNCHES]++;
        if (numbers[DRY]) return SUCCESS;
        return hooks.launch(n->module->id, n->x, n->y, n->z, n->threads, n->shared, n->parameters, n->parameter_bytes);
    case COPY:
        memmove((void *) n->to, (const void *) n->from, (size_t) n->bytes);
        return SUCCESS;
    case CLEAR:
        memset((void *) n->to, 0, (size_t) n->bytes);
        return SUCCESS;
    case REPLAY:
        numbers[REPLAYS]++;
        return replay(n->extra);
    case MARK:
        ((struct event *) n->extra)->pending--;
        return SUCCESS;
    default:
        return SUCCESS;
    }
}

static CUresult drain(struct stream *s) {
    for (size_t i = 0; i < s->queue.count && !sticky; i++) sticky = run(s->queue.nodes[i]);
    drop(&s->queue);
    for (struct memory *m = memories; m && !sticky; m = m->next)
        if (!intact(m)) sticky = ILLEGAL_ADDRESS;
    return sticky;
}

/* Starting and devices */

CUresult cuInit(unsigned flags) {
    if (flags) return INVALID_VALUE;
    if (numbers[FAIL_INIT]) return (CUresult) numbers[FAIL_INIT];
    started = 1;
    return numbers[DEVICES] ? SUCCESS : NO_DEVICE;
}

CUresult cuDriverGetVersion(int *out) { *out = (int) numbers[VERSION]; return SUCCESS; }

static const struct { CUresult code; const char *name, *words; } ERRORS[] = {
    {SUCCESS, "CUDA_SUCCESS", "no error"}, {INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"}, {NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "not initialized"},
    {NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no device"}, {INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid context"},
    {INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "the text is not accepted"}, {INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid handle"},
    {NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"}, {ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal access"},
    {LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
};

static CUresult words(CUresult code, const char **out, int name) {
    for (size_t i = 0; i < sizeof ERRORS / sizeof *ERRORS; i++)
        if (ERRORS[i].code == code) { *out = name ? ERRORS[i].name : ERRORS[i].words; return SUCCESS; }
    *out = NULL;
    return INVALID_VALUE;
}

CUresult cuGetErrorName(CUresult code, const char **out) { return words(code, out, 1); }
CUresult cuGetErrorString(CUresult code, const char **out) { return words(code, out, 0); }

CUresult cuDeviceGetCount(int *out) { *out = (int) numbers[DEVICES]; return started ? SUCCESS : NOT_INITIALIZED; }
CUresult cuDeviceGet(int *out, int ordinal) {
    *out = ordinal;
    return ordinal >= 0 && ordinal < numbers[DEVICES] ? SUCCESS : INVALID_DEVICE;
}
CUresult cuDeviceGetName(char *out, int bytes, int device) {
    (void) device;
    strncpy(out, "Test device", (size_t) bytes);
    return SUCCESS;
}

CUresult cuDeviceTotalMem_v2(size_t *out, int device) {
    (void) device;
    *out = (size_t) numbers[MEMORY];
    return SUCCESS;
}

CUresult cuDeviceGetAttribute(int *out, int which, int device) {
    (void) device;
    switch (which) {
    case 1: *out = 1024; return SUCCESS;                /* threads of a block */
    case 5: *out = 0x7fffffff; return SUCCESS;          /* grid */
    case 6: case 7: *out = 65535; return SUCCESS;
    case 10: *out = 32; return SUCCESS;                 /* warp */
    case 16: *out = 4; return SUCCESS;                  /* processors */
    case 18: *out = 0; return SUCCESS;                  /* integrated */
    case 19: *out = 1; return SUCCESS;                  /* maps host memory */
    case 20: *out = 0; return SUCCESS;                  /* compute mode */
    case 41: *out = 1; return SUCCESS;                  /* one space of addresses */
    case 75: *out = (int) numbers[MAJOR]; return SUCCESS;
    case 76: *out = (int) numbers[MINOR]; return SUCCESS;
    case 97: *out = numbers[MAJOR] >= 8 ? 99 * 1024 : 64 * 1024; return SUCCESS; /* shared memory of a block */
    default: return INVALID_VALUE;
    }
}

/* Contexts */

CUresult cuDevicePrimaryCtxRetain(void **out, int device) {
    (void) device;
    if (!started) return NOT_INITIALIZED;
    CUresult fails = chosen();
    if (fails) return fails;
    if (numbers[CONTEXTS]++ == 0) sticky = SUCCESS;
    *out = &context;
    return SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease_v2(int device) {
    (void) device;
    if (numbers[CONTEXTS] <= 0) return INVALID_CONTEXT;
    numbers[CONTEXTS]--;
    return SUCCESS;
}
CUresult cuCtxSetCurrent(void *which) {
    if (which != NULL && which != &context) return INVALID_CONTEXT;
    CUresult fails = chosen();
    current = which != NULL;
    return fails ? fails : sticky;
}

/* Memory */

CUresult cuMemGetInfo_v2(size_t *unused, size_t *total) {
    READY;
    *unused = (size_t) (numbers[MEMORY] - numbers[USED]);
    *total = (size_t) numbers[MEMORY];
    return SUCCESS;
}
CUresult cuMemAlloc_v2(CUdeviceptr *out, size_t bytes) { READY; return allocate(out, (int64_t) bytes, 0); }
CUresult cuMemFree_v2(CUdeviceptr address) { return current ? release(address, 0) : INVALID_CONTEXT; }
CUresult cuMemHostAlloc(void **out, size_t bytes, unsigned flags) { (void) flags; READY; return allocate((uint64_t *) out, (int64_t) bytes, 1); }
CUresult cuMemFreeHost(void *at) { return release((uint64_t) at, 1); }
CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *out, void *at, unsigned flags) {
    READY;
    if (flags || !holding((uint64_t) at, 1)) return INVALID_VALUE;
    *out = (uint64_t) at;
    return SUCCESS;
}

/* Streams */

CUresult cuStreamCreate(void **out, unsigned flags) {
    (void) flags;
    READY;
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
        if (!streams[i]) {
            *out = streams[i] = calloc(1, sizeof(struct stream));
            numbers[STREAMS]++;
            return SUCCESS;
        }
    return OUT_OF_MEMORY;
}
static struct stream *alive(void *s) {
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
        if (s && streams[i] == s) return s;
    return NULL;
}
CUresult cuStreamDestroy_v2(void *s) {
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
        if (s && streams[i] == s) {
            drop(&streams[i]->queue);
            free(s);
            streams[i] = NULL;
            numbers[STREAMS]--;
            return SUCCESS;
        }
    return INVALID_HANDLE;
}
CUresult cuStreamSynchronize(void *s) { READY; return alive(s) ? drain(s) : INVALID_HANDLE; }

static CUresult enqueue(void *s, int kind, uint64_t to, uint64_t from, size_t bytes, void *extra) {
    READY;
    if (!alive(s)) return INVALID_HANDLE;
    if (kind == COPY || kind == CLEAR) {
        if (!holding(to, (int64_t) bytes) || (kind == COPY && !holding(from, (int64_t) bytes))) return INVALID_VALUE;
    }
    struct node *n = fresh(kind);
    if (!n) return OUT_OF_MEMORY;
    n->to = to;
    n->from = from;
    n->bytes = (int64_t) bytes;
    n->extra = extra;
    return push(&((struct stream *) s)->queue, n);
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, void *s) { return enqueue(s, COPY, to, (uint64_t) from, bytes, NULL); }
CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, void *s) { return enqueue(s, COPY, (uint64_t) to, from, bytes, NULL); }
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes, void *s) { return value ? INVALID_VALUE : enqueue(s, CLEAR, to, 0, bytes, NULL); }

CUresult cuEventCreate(void **out, unsigned flags) {
    (void) flags;
    READY;
    *out = calloc(1, sizeof(struct event));
    numbers[EVENTS]++;
    return SUCCESS;
}
CUresult cuEventDestroy_v2(void *e) { free(e); numbers[EVENTS]--; return SUCCESS; }
#ifndef LACKING
CUresult cuEventRecord(void *e, void *s) {
    CUresult r = enqueue(s, MARK, 0, 0, 0, e);
    if (!r) ((struct event *) e)->pending++;
    return r;
}
#endif
CUresult cuEventSynchronize(void *e) {
    READY;
    for (size_t i = 0; i < sizeof streams / sizeof *streams && ((struct event *) e)->pending; i++)
        if (streams[i]) { CUresult r = drain(streams[i]); if (r) return r; }
    return SUCCESS;
}

/* Modules */

CUresult cuModuleLoadDataEx(void **out, const void *text, unsigned count, const int *options, void *const *values) {
    READY;
    char *log = NULL;
    int64_t bytes = 0;
    for (unsigned i = 0; i < count; i++) {
        if (options[i] == 5) log = values[i];
        if (options[i] == 6) bytes = (int64_t) values[i];
    }
    int64_t id = hooks.load(text, log, bytes);
    if (id < 0) return INVALID_PTX;
    struct module *m = calloc(1, sizeof *m);
    m->id = id;
    m->alive = 1;
    numbers[MODULES]++;
    *out = m;
    return SUCCESS;
}
/* A module's record stays: launches of one that is gone are noticed. */
CUresult cuModuleUnload(void *m) {
    hooks.unload(((struct module *) m)->id);
    ((struct module *) m)->alive = 0;
    numbers[MODULES]--;
    return SUCCESS;
}
CUresult cuModuleGetFunction(void **out, void *m, const char *name) {
    READY;
    *out = m;
    return hooks.function(((struct module *) m)->id, name) ? SUCCESS : NOT_FOUND;
}
CUresult cuFuncGetAttribute(int *out, int which, void *f) { (void) which; (void) f; READY; *out = 0; return SUCCESS; }
CUresult cuFuncSetAttribute(void *f, int which, int value) {
    READY;
    if (which != 8) return INVALID_VALUE;
    ((struct module *) f)->shared = value;
    return SUCCESS;
}

static CUresult kernel(struct node **out, struct module *m, unsigned x, unsigned y, unsigned z, unsigned threads, unsigned shared, void **parameters) {
    struct node *n = fresh(KERNEL);
    if (!n) return OUT_OF_MEMORY;
    n->module = m;
    n->x = (int32_t) x;
    n->y = (int32_t) y;
    n->z = (int32_t) z;
    n->threads = (int32_t) threads;
    n->shared = (int32_t) shared;
    n->parameter_bytes = hooks.pack(m->id, parameters, n->parameters, MOST_PARAMETERS);
    *out = n;
    return n->parameter_bytes < 0 ? INVALID_VALUE : SUCCESS;
}

/* Graphs */

CUresult cuGraphCreate(void **out, unsigned flags) {
    (void) flags;
    READY;
    *out = calloc(1, sizeof(struct work));
    numbers[GRAPHS]++;
    return SUCCESS;
}
CUresult cuGraphDestroy(void *g) { drop(g); free(g); numbers[GRAPHS]--; return SUCCESS; }

static CUresult add(void **out, struct work *g, void *const *after, size_t count, struct node *n) {
    n->after = malloc((count + 1) * sizeof *n->after);
    n->after_count = count;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < g->count && g->nodes[k] != after[i]) k++;
        if (k == g->count) return INVALID_VALUE;
        n->after[i] = after[i];
    }
    *out = n;
    return push(g, n);
}

struct kernel_params { struct module *f; unsigned x, y, z, threads, by, bz, shared; void **parameters, **extra; void *kern, *ctx; };

static CUresult add_kernel(void **out, void *g, void *const *after, size_t count, const struct kernel_params *p) {
    READY;
    if (p->by != 1 || p->bz != 1 || p->extra) return INVALID_VALUE;
    struct node *n;
    CUresult r = kernel(&n, p->f, p->x, p->y, p->z, p->threads, p->shared, p->parameters);
    return r ? r : add(out, g, after, count, n);
}

struct copy_params {
    size_t from_x, from_y, from_z, from_lod; unsigned from_type; const void *from_host; CUdeviceptr from; void *from_array, *reserved0;
    size_t from_pitch, from_height, to_x, to_y, to_z, to_lod; unsigned to_type; void *to_host; CUdeviceptr to; void *to_array, *reserved1;
    size_t to_pitch, to_height, width, height, depth;
};

CUresult cuGraphAddMemcpyNode(void **out, void *g, void *const *after, size_t count, const struct copy_params *p, void *ctx) {
    READY;
    if (ctx != &context || p->from_type != 4 || p->to_type != 4 || p->height != 1 || p->depth != 1) return INVALID_VALUE;
    if (p->width > MOST_PITCH || !holding(p->to, (int64_t) p->width) || !holding(p->from, (int64_t) p->width)) return INVALID_VALUE;
    struct node *n = fresh(COPY);
    n->to = p->to;
    n->from = p->from;
    n->bytes = (int64_t) p->width;
    return add(out, g, after, count, n);
}

struct clear_params { CUdeviceptr to; size_t pitch; unsigned value, element; size_t width, height; };

CUresult cuGraphAddMemsetNode(void **out, void *g, void *const *after, size_t count, const struct clear_params *p, void *ctx) {
    READY;
    if (ctx != &context || p->value || p->element != 1 || p->height != 1 || p->width > MOST_PITCH || !holding(p->to, (int64_t) p->width)) return INVALID_VALUE;
    struct node *n = fresh(CLEAR);
    n->to = p->to;
    n->bytes = (int64_t) p->width;
    return add(out, g, after, count, n);
}
CUresult cuGraphAddEmptyNode(void **out, void *g, void *const *after, size_t count) { READY; return add(out, g, after, count, fresh(NOTHING)); }

/* An executable graph is a copy: the graph it came from may go. */
static CUresult instantiate(void **out, struct work *g) {
    READY;
    struct work *e = calloc(1, sizeof *e);
    for (size_t i = 0; i < g->count; i++) {
        struct node *n = fresh(NOTHING);
        *n = *g->nodes[i];
        n->after = malloc((n->after_count + 1) * sizeof *n->after);
        for (size_t k = 0; k < n->after_count; k++) {
            size_t at = 0;
            while (g->nodes[at] != g->nodes[i]->after[k]) at++;
            n->after[k] = e->nodes[at];
        }
        push(e, n);
    }
    numbers[EXECUTABLES]++;
    *out = e;
    return SUCCESS;
}
CUresult cuGraphAddKernelNode(void **out, void *g, void *const *after, size_t count, const struct kernel_params *p) {
    return add_kernel(out, g, after, count, p);
}
CUresult cuGraphInstantiate_v2(void **out, void *g, void *node, char *log, size_t bytes) {
    (void) node; (void) log; (void) bytes;
    return instantiate(out, g);
}
#ifndef OLDER
CUresult cuGraphAddKernelNode_v2(void **out, void *g, void *const *after, size_t count, const struct kernel_params *p) {
    return p->kern || p->ctx ? INVALID_VALUE : add_kernel(out, g, after, count, p);
}
CUresult cuGraphInstantiateWithFlags(void **out, void *g, unsigned long long flags) { return flags ? INVALID_VALUE : instantiate(out, g); }
#endif
CUresult cuGraphLaunch(void *e, void *s) { return enqueue(s, REPLAY, 0, 0, 0, e); }
CUresult cuGraphExecDestroy(void *e) { drop(e); free(e); numbers[EXECUTABLES]--; return SUCCESS; }
