/** The serving engine over real models on the CPU. In: the shipped model. Not here: schedules, which a scripted driver tests. */
package poot.engine;
