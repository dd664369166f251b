/** What a step costs a device: launches, barriers and bytes, counted where they are recorded. */
package poot.device;
