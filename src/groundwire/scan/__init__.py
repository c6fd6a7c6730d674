"""Finding candidates in folded text and deciding which of them stand."""
