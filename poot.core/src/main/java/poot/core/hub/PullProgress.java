package poot.core.hub;

/**
 * How far a pull is.
 *
 * @param phase          what is being done
 * @param repository     {@code OWNER/REPO}
 * @param done           bytes that are here, those of an earlier attempt included; while verifying, bytes verified
 * @param fetched        bytes that came over the network in this pull
 * @param total          bytes of the model; 0 until the hub has said
 * @param bytesPerSecond from the network, over the last seconds
 * @param filesDone      files that are whole
 * @param files          files of the model
 */
public record PullProgress(Phase phase, String repository, long done, long fetched, long total, double bytesPerSecond, int filesDone,
        int files) {
    /** What is being done. */
    public enum Phase {
        /** Another process pulls from the same repository; its end is waited for. */
        WAITING,
        /** The hub is asked what there is. */
        LISTING,
        /** Files come. */
        FETCHING,
        /** All bytes came; the digests of the last files are computed. */
        VERIFYING,
        /** The model is whole. */
        DONE
    }
}
