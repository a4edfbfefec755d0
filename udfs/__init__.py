"""The UDF layer: a text column in, an array of chunk structs out."""
