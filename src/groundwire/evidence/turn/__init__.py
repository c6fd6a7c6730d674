"""What the tool calls of the turn did and printed, collected once for all claims."""
