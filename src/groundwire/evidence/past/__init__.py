"""Earlier turns of the session: what is kept of them, and the claims that rest on them."""
