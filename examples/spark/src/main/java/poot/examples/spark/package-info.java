/**
 * Answers a file of prompts on many machines with Apache Spark, each executor over one engine of its own.
 *
 * <p>In data order: {@link poot.examples.spark.Settings} says what to do; {@link poot.examples.spark.SparkPrompts} turns
 * lines into answered lines, partition by partition; {@link poot.examples.spark.PromptLine} reads a line and writes its
 * answer; {@link poot.examples.spark.PartitionAnswers} keeps some of a partition's lines in flight;
 * {@link poot.examples.spark.EngineHolder} is the engine all partitions of an executor share.
 *
 * <p>Lines come in and go out as text. Which machine computes what, and what happens when one is lost, belongs to Spark.
 */
package poot.examples.spark;
