"""From a Markdown message to text that phrases can be looked up in, and back."""
