package poot.core.driver;

import poot.api.graph.ElementType;
import poot.api.graph.Encoding;
import poot.api.graph.Format;
import poot.core.checkpoint.Formats;
import poot.core.quant.Mxfp4Pairs;
import poot.core.quant.QuantFormats;

/** The readers' formats: the one place where what is stored meets what it means. */
public record StoredFormats() implements Formats {
    @Override
    public Format of(Encoding encoding) {
        return QuantFormats.of(encoding);
    }

    @Override
    public Format gptq(int groupSize, boolean zeroPlusOne, boolean hasOrder, ElementType scaleType) {
        return QuantFormats.gptq(groupSize, zeroPlusOne, hasOrder, scaleType);
    }

    @Override
    public Format awq(int groupSize, ElementType scaleType) {
        return QuantFormats.awq(groupSize, scaleType);
    }

    @Override
    public Format fp8Channel(ElementType scaleType) {
        return QuantFormats.fp8Channel(scaleType);
    }

    @Override
    public Format fp8Block(int blockRows, int blockColumns, ElementType scaleType) {
        return QuantFormats.fp8Block(blockRows, blockColumns, scaleType);
    }

    @Override
    public Format mxfp4Pairs() {
        return new Mxfp4Pairs();
    }
}
