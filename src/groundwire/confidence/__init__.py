"""The four confidence models, a folder each; high is good.

Their formulas are pure: every input is an argument. What needs settings, files or judges is in the
``service`` of the model.
"""
