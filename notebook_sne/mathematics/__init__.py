"""The mathematics of stochastic neighbour embedding: arrays in, arrays out.

One module holds the cost and gradient of one model; ``pair_sums`` and ``stored_pairs`` hold the two kinds of sums
that all of them are made of; ``distances`` and ``perplexity`` lead from data to probabilities. Sums run over
ordered pairs i != j. Costs are in nats. Map distances have no unit: the kernel exp(-d) fixes the scale of a map.

Sources, cited by these keys:

[Hinton2002]   G. Hinton, S. Roweis. Stochastic Neighbor Embedding. NIPS 15, 2002.
[Cook2007]     J. Cook, I. Sutskever, A. Mnih, G. Hinton. Visualizing Similarity Data with a Mixture of Maps.
               AISTATS, 2007.
[Maaten2008]   L. van der Maaten, G. Hinton. Visualizing Data using t-SNE. JMLR 9, 2008.
[Maaten2012]   L. van der Maaten, G. Hinton. Visualizing non-metric similarities in multiple maps.
               Machine Learning 87, 2012.
[Hinton2013]   G. Hinton. Lecture 11 of CSC 2535, University of Toronto, 2013.
[Nabney]       I. Nabney. Lecture on stochastic neighbour embedding.
"""
