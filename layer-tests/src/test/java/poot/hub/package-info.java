/** Models by name, against a stand-in of the hub's HTTP: what a pull does when everything goes right, and when anything goes wrong. */
package poot.hub;
