/** Matrix products over packed weights as a backend runs them, against the stored expectations and against decode. */
package poot.quant;
