"""What the message itself claims, guesses and admits; no tool call is looked at here."""
