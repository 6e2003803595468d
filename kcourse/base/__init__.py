"""The ground floor: what all others stand on. Nothing here imports a floor above."""
