package poot.core.kernel.device;

/** Memory of the device. */
public non-sealed interface DeviceBuffer extends DeviceMemory {}
