"""The models of the papers as scikit-learn estimators: hyperparameters + mathematics + an optimiser."""
