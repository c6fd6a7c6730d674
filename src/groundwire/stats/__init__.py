"""``groundwire stats``: what the decision log and the history of composite confidences say."""
