"""What is kept between turns: loop memory, decision log, compiled settings."""
