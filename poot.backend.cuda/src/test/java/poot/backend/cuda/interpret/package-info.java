/**
 * Runs PTX on the host, as the tests' device: {@code PtxSource} reads the text that the emitter writes, {@code PtxProgram}
 * turns it into steps once, {@code Warp} runs a step for 32 lanes at a time, {@code PtxMachine} a launch. What a device may
 * do and a test should notice is done: lanes that parted meet again only where their flow does, warps and workgroups run in
 * turning order, shared memory starts as NaN, copies are late, and an access outside an allocation is an error.
 */
package poot.backend.cuda.interpret;
