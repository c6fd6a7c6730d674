"""Language models as judges: providers, the second look, judged confidences."""
