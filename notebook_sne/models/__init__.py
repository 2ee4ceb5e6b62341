"""The models of the papers as scikit-learn estimators: hyperparameters + mathematics + an optimizer.

`base` holds what all share, `several` what those with several maps share besides; `problem` applies a model to data and
makes its `states`, each a `State`; `family` says which model can take over from which.
"""
