"""The models of the papers as scikit-learn estimators: hyperparameters + mathematics + an optimizer.

`base` holds what all share, `single` and `several` what those with one map and with several share besides; `family`
says which model can take over from which. How a model is applied to data is in `notebook_sne.fitting`.
"""
