"""The mathematics of stochastic neighbor embedding: arrays in, arrays out.

One module holds the cost and gradient of one model, to lie beside its paper: `sne`, `unisne` (with symmetric SNE),
`tsne`, `aspects` (with multiple maps t-SNE) and `images`. `pair_sums` and `stored_pairs` hold the two kinds of sums
that all of them are made of, `stored_mixtures` and `mixing` what several maps need besides, `lonely` the sums that
would underflow. `mesh_sums` is `pair_sums` for many objects, by way of `meshes`, `splines` and `influence`;
`exponential` and `lanes` hold what a processor wants. `distances` and `perplexity` lead from data to probabilities;
`close_up` looks at one object; `placing`, with `moments` and `neighbors`, finds the places of new ones; `selection`
finds the n-th of some numbers; `compiled` keeps machine code, `parallel` shares work out to threads, `cores` counts.

Sums run over ordered pairs i != j. Costs are in nats. Map distances have no unit: the kernel exp(-d) fixes the scale of
a map.

Sources, cited by these keys:

[Hinton2002]
    Geoffrey Hinton, Sam Roweis. Stochastic Neighbor Embedding. NIPS 15, 2002.
[Cook2007]
    James Cook, Ilya Sutskever, Andriy Mnih, Geoffrey Hinton. Visualizing Similarity Data with a Mixture of Maps.
    AISTATS, 2007.
[Maaten2008]
    Laurens van der Maaten, Geoffrey Hinton. Visualizing Data using t-SNE. JMLR 9, 2008.
[Maaten2012]
    Laurens van der Maaten, Geoffrey Hinton. Visualizing non-metric similarities in multiple maps. Machine Learning 87,
    2012.
[Hinton2013]
    Geoffrey Hinton. Lecture 11 of CSC 2535, University of Toronto, 2013.
[Nabney]
    Ian Nabney. Lecture on stochastic neighbor embedding.
"""
