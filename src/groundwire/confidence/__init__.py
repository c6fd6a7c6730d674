"""The four confidence models: pure formulas, high is good; every input is an argument."""
