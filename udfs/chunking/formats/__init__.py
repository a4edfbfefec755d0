"""What is known of a document beside its letters: its format's headings, blocks, repeated heads, pages."""
