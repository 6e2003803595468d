"""The published site: chapters with figures that move, sheets, decks, guides and the reference (``make site``)."""
