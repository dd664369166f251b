/**
 * The suites of a machine that has a device, run without a test runner by {@code bench/cuda-device.sh}:
 * {@link poot.device.DeviceChecks} opens a backend by name and prints what it makes of goldens and packed products.
 */
package poot.device;
