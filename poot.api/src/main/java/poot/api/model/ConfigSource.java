package poot.api.model;

/** Which kind of checkpoint a configuration came from; decides the spelling of keys and tensors. */
public enum ConfigSource {
    /** A Hugging Face directory: {@code config.json} and safetensors. */
    HF,
    /** GGUF metadata. */
    GGUF
}
