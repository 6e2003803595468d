"""Authors' tools: they turn the text sources into notebooks, sheets and the site. Readers never need them."""
