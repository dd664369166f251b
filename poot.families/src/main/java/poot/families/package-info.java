/**
 * The model families poot ships: one file each, listed once in {@link poot.families.Families}. A file says what its
 * family is and nothing else; what families share lives in {@link poot.families.components} and
 * {@link poot.families.standard}.
 *
 * <p>In: configurations and tensor names. Out: models. Not here: files, devices, generation.
 */
package poot.families;
