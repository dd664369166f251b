/** What the documentation shows, compiled and run. In: the shipped model. Not here: what any other test covers. */
package poot.docs;
