/** A backend as anybody could write one: the API, and the definitions of operations. It needs no plan to be right. */
package toy;
