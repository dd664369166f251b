package poot.backend.cuda.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import poot.backend.cuda.device.CudaRecording.Piece;

class CudaRecordingTest {
    /** A driver refuses a node of more bytes than a pitch may have, and 32 bits do not count them. */
    @Test
    void longCopiesAndFillsAreSeveralNodes() {
        long most = CudaRecording.LONGEST;
        assertEquals(List.of(new Piece(0, 4)), CudaRecording.pieces(4));
        assertEquals(List.of(new Piece(0, most)), CudaRecording.pieces(most));
        List<Piece> all = CudaRecording.pieces((5L << 30) + 8);
        assertEquals(6, all.size());
        assertEquals(new Piece(4L << 30, most), all.get(4));
        assertEquals(new Piece(5L << 30, 8), all.getLast());
    }
}
