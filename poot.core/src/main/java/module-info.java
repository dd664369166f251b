/** The machinery of poot: checkpoints, packed formats, text, compiler, kernels, driver. */
@SuppressWarnings("module") // The backends that kernels are exported to are built after this module.
module poot.core {
    requires transitive poot.api;
    requires java.net.http;

    exports poot.core.checkpoint;
    exports poot.core.compile;
    exports poot.core.driver;
    exports poot.core.hub;
    exports poot.core.engine;
    exports poot.core.json;
    exports poot.core.kernel.device to poot.backend.cuda, poot.backend.vulkan;
    exports poot.core.kernel.execute to poot.backend.cuda, poot.backend.vulkan;
    exports poot.core.kernel.interpret to poot.backend.cuda, poot.backend.vulkan;
    exports poot.core.kernel.ir to poot.backend.cuda, poot.backend.vulkan;
    exports poot.core.quant;
    exports poot.core.quantize;
    exports poot.core.sample;
    exports poot.core.text;
    exports poot.core.text.chat;
    exports poot.core.text.regex;
    exports poot.core.text.reply;
    exports poot.core.text.template;
    exports poot.core.text.tokenizer;

    uses poot.api.executor.ExecutorProvider;
}
