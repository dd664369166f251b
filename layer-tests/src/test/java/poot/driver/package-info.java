/** The driver over a toy model and over golden checkpoints, on the toy backend. */
package poot.driver;
