package poot.backend.cuda.ffi;

/**
 * Giving things back. A device that has failed refuses every call, releases too; what it refuses goes with its context, so
 * that a close does not throw over the error that led to it.
 */
final class Release {
    private static final System.Logger LOG = System.getLogger(Release.class.getName());

    private Release() {}

    static void of(String call, int code) {
        if (code != Cuda.CUDA_SUCCESS()) {
            LOG.log(System.Logger.Level.DEBUG, () -> call + ": " + CudaException.words(code));
        }
    }
}
