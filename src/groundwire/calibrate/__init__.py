"""Labels of people against confidences: labelling, fitting the settings, measuring them."""
