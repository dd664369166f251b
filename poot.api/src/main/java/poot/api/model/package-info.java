/**
 * The Model SPI. A {@link poot.api.model.Registry} finds the {@link poot.api.model.FamilyEntry} of a
 * {@link poot.api.model.RawConfig}; the entry builds {@link poot.api.model.ModelParts} over a
 * {@link poot.api.model.WeightStore}; a {@link poot.api.model.Model} declares its
 * {@link poot.api.model.ModelSchema} and {@link poot.api.model.WeightMap} and traces a
 * {@link poot.api.model.StepSpec} into a graph. A {@link poot.api.model.TextCodec} turns text into ids and back.
 *
 * <p>In: checkpoints' configurations and tensor names. Out: graphs. Not here: readers, devices, generation.
 */
package poot.api.model;
