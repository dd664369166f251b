/**
 * What adding a model takes: three small families that poot has never heard of, written here against the API alone
 * and served through the public API with no other edit. {@link poot.addamodel.Families} is their list.
 */
package poot.addamodel;
