"""OpenCode's sessions as typed structs; `lean` has what reading needs of them."""
