/** The sampling suffix judged by a plain reference, and its draws by their statistics. */
package poot.sample;
