"""Writes the packed checkpoints of this directory and what is expected of them.

    python reference.py DIRECTORY

Needs numpy, torch, safetensors, transformers and accelerate. Every checkpoint is a two-layer Llama whose linear layers are random
codes, scales and zero points. They are dequantized here from the published layouts of the formats, put into
transformers' LlamaForCausalLM as float64, and run once over the given tokens; golden.safetensors holds the tokens and the
logits of every position.
"""
import json
import os
import sys

import numpy as np
import torch
from safetensors.numpy import save_file as save_numpy
from safetensors.torch import save_file as save_torch
from transformers import FineGrainedFP8Config, LlamaConfig, LlamaForCausalLM

HIDDEN, FEED_FORWARD, HEADS, KV_HEADS, LAYERS, VOCABULARY, GROUP = 64, 96, 4, 2, 2, 96, 32
HEAD = HIDDEN // HEADS
CONFIG = {
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": HIDDEN,
    "intermediate_size": FEED_FORWARD, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS,
    "num_key_value_heads": KV_HEADS, "head_dim": HEAD, "vocab_size": VOCABULARY, "max_position_embeddings": 128,
    "rms_norm_eps": 1e-05, "rope_theta": 10000.0, "hidden_act": "silu", "tie_word_embeddings": False,
    "attention_bias": False, "mlp_bias": False, "bos_token_id": 0, "eos_token_id": 1, "torch_dtype": "float16",
}
LINEARS = {"self_attn.q_proj": (HEADS * HEAD, HIDDEN), "self_attn.k_proj": (KV_HEADS * HEAD, HIDDEN),
           "self_attn.v_proj": (KV_HEADS * HEAD, HIDDEN), "self_attn.o_proj": (HIDDEN, HEADS * HEAD),
           "mlp.gate_proj": (FEED_FORWARD, HIDDEN), "mlp.up_proj": (FEED_FORWARD, HIDDEN),
           "mlp.down_proj": (HIDDEN, FEED_FORWARD)}


def words(nibbles):
    """[..., 8] values 0..15 to int32, the first in the lowest bits."""
    out = np.zeros(nibbles.shape[:-1], np.uint32)
    for k in range(8):
        out |= nibbles[..., k].astype(np.uint32) << np.uint32(4 * k)
    return out.view(np.int32)


def nibbles(packed):
    """int32 to [..., 8] values 0..15, the lowest bits first."""
    return np.stack([packed.view(np.uint32) >> np.uint32(4 * k) & np.uint32(15) for k in range(8)], -1).astype(np.int64)


def codes(rng, out, inn):
    groups = inn // GROUP
    scales = ((0.5 + rng.random((groups, out))) / (4.6 * np.sqrt(inn))).astype(np.float16)
    return rng.integers(0, 16, (inn, out)), rng.integers(4, 13, (groups, out)), scales


def gptq(rng, out, inn, plus_one, ordered):
    """qweight [in/8, out] along inputs, qzeros [groups, out/8] along outputs, scales [groups, out], g_idx [in]."""
    q, zeros, scales = codes(rng, out, inn)
    order = np.arange(inn, dtype=np.int32) // GROUP
    if ordered:
        order = rng.permutation(order).astype(np.int32)
    stored = {
        "qweight": words(q.reshape(inn // 8, 8, out).transpose(0, 2, 1)),
        "qzeros": words((zeros - plus_one).reshape(-1, out // 8, 8)),
        "scales": scales, "g_idx": order,
    }
    read = nibbles(stored["qweight"]).transpose(0, 2, 1).reshape(inn, out)
    zero = nibbles(stored["qzeros"]).reshape(-1, out) + plus_one
    weight = stored["scales"].astype(np.float64)[order] * (read - zero[order])
    return {k: torch.from_numpy(v) for k, v in stored.items()}, weight.T


def awq(rng, out, inn):
    """qweight [in, out/8] and qzeros [groups, out/8]: nibble k of a word is output (0, 2, 4, 6, 1, 3, 5, 7)[k]."""
    q, zeros, scales = codes(rng, out, inn)
    interleave = [0, 2, 4, 6, 1, 3, 5, 7]
    stored = {
        "qweight": words(q.reshape(inn, out // 8, 8)[..., interleave]),
        "qzeros": words(zeros.reshape(-1, out // 8, 8)[..., interleave]),
        "scales": scales,
    }
    read = np.empty((inn, out // 8, 8), np.int64)
    read[..., interleave] = nibbles(stored["qweight"])
    zero = np.empty((inn // GROUP, out // 8, 8), np.int64)
    zero[..., interleave] = nibbles(stored["qzeros"])
    group = np.arange(inn) // GROUP
    weight = scales.astype(np.float64)[group] * (read.reshape(inn, out) - zero.reshape(-1, out)[group])
    return {k: torch.from_numpy(v) for k, v in stored.items()}, weight.T


def fp8(rng, out, inn, rows, columns, name, dtype):
    """float8_e4m3fn elements [out, in], a factor per rectangle."""
    shape = (-(-out // rows), -(-inn // columns))
    elements = torch.from_numpy(rng.standard_normal((out, inn)).astype(np.float32) * 20).to(torch.float8_e4m3fn)
    scale = torch.from_numpy(((0.5 + rng.random(shape)) / (20 * np.sqrt(inn))).astype(np.float32)).to(dtype)
    spread = scale.double().numpy().repeat(rows, 0)[:out].repeat(columns, 1)[:, :inn]
    return {"weight": elements, name: scale}, elements.double().numpy() * spread


def channel(rng, out, inn):
    return fp8(rng, out, inn, 1, inn, "weight_scale", torch.bfloat16)


def block(rng, out, inn):
    return fp8(rng, out, inn, 32, 32, "weight_scale_inv", torch.float32)


FORMS = {
    "gptq": (lambda r, o, i: gptq(r, o, i, 1, False),
             {"quant_method": "gptq", "bits": 4, "group_size": GROUP, "desc_act": False, "sym": False,
              "checkpoint_format": "gptq"}),
    "gptq-ordered": (lambda r, o, i: gptq(r, o, i, 0, True),
                     {"quant_method": "gptq", "bits": 4, "group_size": GROUP, "desc_act": True, "sym": False,
                      "checkpoint_format": "gptq_v2"}),
    "awq": (awq, {"quant_method": "awq", "bits": 4, "group_size": GROUP, "zero_point": True, "version": "gemm"}),
    "fp8-channel": (channel, {"quant_method": "compressed-tensors", "format": "float-quantized",
                              "quantization_status": "compressed", "ignore": ["lm_head"], "config_groups": {"group_0": {
                                  "targets": ["Linear"], "weights": {"num_bits": 8, "type": "float", "symmetric": True,
                                                                     "strategy": "channel", "dynamic": False}}}}),
    "fp8-block": (block, {"quant_method": "fp8", "activation_scheme": "dynamic", "weight_block_size": [32, 32]}),
}


def write(parent, name, seed):
    pack, quantization = FORMS[name]
    rng = np.random.default_rng(seed)
    stored, exact = {}, {}

    def dense(key, shape, centre, spread):
        value = torch.from_numpy((centre + spread * rng.standard_normal(shape)).astype(np.float16))
        stored[key] = value
        exact[key] = value.double()

    dense("model.embed_tokens.weight", (VOCABULARY, HIDDEN), 0, 1)
    dense("lm_head.weight", (VOCABULARY, HIDDEN), 0, 0.4)
    dense("model.norm.weight", (HIDDEN,), 1, 0.1)
    for layer in range(LAYERS):
        prefix = f"model.layers.{layer}."
        dense(prefix + "input_layernorm.weight", (HIDDEN,), 1, 0.1)
        dense(prefix + "post_attention_layernorm.weight", (HIDDEN,), 1, 0.1)
        for linear, (out, inn) in LINEARS.items():
            parts, weight = pack(rng, out, inn)
            assert weight.shape == (out, inn)
            exact[prefix + linear + ".weight"] = torch.from_numpy(np.ascontiguousarray(weight))
            for part, value in parts.items():
                stored[prefix + linear + "." + part] = value.contiguous()
    model = LlamaForCausalLM(LlamaConfig(**{**CONFIG, "attn_implementation": "eager"})).double()
    missing, unexpected = model.load_state_dict(exact, strict=True)
    assert not missing and not unexpected
    ids = rng.integers(0, VOCABULARY, 24).astype(np.int32)
    with torch.no_grad():
        logits = model(torch.from_numpy(ids.astype(np.int64))[None]).logits[0]
    assert logits.dtype == torch.float64
    directory = os.path.join(parent, name)
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "config.json"), "w") as f:
        json.dump({**CONFIG, "quantization_config": quantization}, f, indent=1)
        f.write("\n")
    save_torch(stored, os.path.join(directory, "model.safetensors"), {"format": "pt"})
    save_numpy({"ids": ids, "logits": logits.numpy().astype(np.float32)}, os.path.join(directory, "golden.safetensors"))
    if name == "fp8-block":
        check_own_reading(directory, ids, logits)
    print(name, logits.std().item(), logits.abs().max().item())


def check_own_reading(directory, ids, logits):
    """transformers reads this form by itself; that must say the same."""
    model = LlamaForCausalLM.from_pretrained(directory, dtype=torch.float32, attn_implementation="eager",
                                             quantization_config=FineGrainedFP8Config(dequantize=True, weight_block_size=(32, 32)))
    with torch.no_grad():
        own = model.double()(torch.from_numpy(ids.astype(np.int64))[None]).logits[0]
    worst = (own - logits).abs().max().item()
    assert worst < 1e-5, worst


if __name__ == "__main__":
    for n, form in enumerate(FORMS):
        write(sys.argv[1], form, 100 + n)
