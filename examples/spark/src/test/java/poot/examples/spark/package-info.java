/** Tests of the batch example, in Spark's local mode and without Spark. */
package poot.examples.spark;
