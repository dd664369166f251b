/**
 * Load for running servers: many streams at once against any server that speaks the OpenAI completions protocol, several
 * servers in turn, so that their figures come from one run.
 *
 * <p>In data order: {@link poot.serve.load.LoadPlan} says what is asked of which {@link poot.serve.load.LoadTarget};
 * {@link poot.serve.load.LoadRun} opens the streams, each a {@link poot.serve.load.StreamProbe} that times its tokens;
 * {@link poot.serve.load.LoadFigures} puts the streams of all rounds together; {@link poot.serve.load.LoadReport} words
 * them. It knows servers by their address alone, poot's own included.
 */
package poot.serve.load;
