// Package pointer has an atomic pointer that is no generic type.
//
// A cell that mentions a buffer compiles the methods of all instances of generic types to which the fields of a buffer lead, however
// far, since Go's compiler keeps no record of what packages have compiled already. So the types of packages gpu and client have no
// generic types within them, where that can be avoided. TestReach counts the functions of such a cell.
package pointer
