// Everything this file declares is there without including it.
