"""What tools print, read by the rows of ``outcomes/*.toml``; it knows no turns and no claims."""
