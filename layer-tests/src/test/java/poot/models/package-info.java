/** Trained checkpoints from text to text: loaded, prepared and served through the public API. */
package poot.models;
