"""The mathematics of stochastic neighbor embedding: arrays in, arrays out.

Each module has the cost and gradient of one model, and can be read beside its paper: `sne`, `unisne` (with symmetric
SNE), `tsne` (with negative sampling), `infonce`, `umap` (with `umap_kernel` and `smooth_neighbors`), `elastic`,
`aspects` (with multiple maps t-SNE) and `images`. `density` is the term that keeps local densities.
`large_variance` has the limit of `sne` that resembles multidimensional scaling. `mixing` has the proportions of several
maps, `isolated` the sums that would underflow, `evaluation` the result. `distances`, `selection`, `neighbors` and
`perplexity` lead from data to probabilities, and `coincident` handles identical objects. `forces` looks at one object.
`out_of_sample` places new objects in one map, `row_mixtures` (with `modes`) in several. `copies` moves copies,
`many_copies` those of very many objects, and `communities`, which may be `overlapping`, give several maps a start.
`aligned` joins the maps of several steps by springs. The sums over pairs behind all of them are in
`notebook_sne.engine.sums`, their compilation in `notebook_sne.engine.machine`.

Sums run over ordered pairs i != j. Costs are in nats. Map distances have no unit: the kernel exp(-d) sets the scale of
a map.

Sources, cited by these keys:

[Nesterov1983]
    Yurii Nesterov. A method for solving the convex programming problem with convergence rate O(1/k^2). Doklady Akademii
    Nauk SSSR 269, 1983.
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
[Vladymyrov2012]
    Max Vladymyrov, Miguel Carreira-Perpiñán. Partial-Hessian Strategies for Fast Learning of Nonlinear Embeddings.
    ICML, 2012.
[Lee2015]
    John Lee, Diego Peluffo-Ordonez, Michel Verleysen. Multi-scale similarities in stochastic neighbour embedding.
    Neurocomputing 169, 2015.
[deBodt2018]
    Cyril de Bodt, Dounia Mulders, Michel Verleysen, John Lee. Perplexity-free t-SNE and twice Student tt-SNE. ESANN,
    2018.
[Kobak2019]
    Dmitry Kobak, Philipp Berens. The art of using t-SNE for single-cell transcriptomics. Nature Communications 10,
    2019.
[Hinton2013]
    Geoffrey Hinton. Lecture 11 of CSC 2535, University of Toronto, 2013.
[CarreiraPerpinan2010]
    Miguel A. Carreira-Perpiñán. The Elastic Embedding Algorithm for Dimensionality Reduction. ICML, 2010.
[Damrich2023]
    Sebastian Damrich, Niklas Böhm, Fred Hamprecht, Dmitry Kobak. From t-SNE to UMAP with contrastive learning. ICLR,
    2023.
[McInnes2018]
    Leland McInnes, John Healy, James Melville. UMAP: Uniform Manifold Approximation and Projection for Dimension
    Reduction. arXiv 1802.03426, 2018.
[Damrich2021]
    Sebastian Damrich, Fred Hamprecht. On UMAP's true loss function. NeurIPS, 2021.
[Rauber2016]
    Paulo Rauber, Alexandre Falcão, Alexandru Telea. Visualizing Time-Dependent Data Using Dynamic t-SNE. EuroVis (Short
    Papers), 2016.
[Narayan2021]
    Ashwin Narayan, Bonnie Berger, Hyunghoon Cho. Assessing single-cell transcriptomic variability through
    density-preserving data visualization. Nature Biotechnology 39, 2021.
[Boehm2022]
    Jan Niklas Böhm, Philipp Berens, Dmitry Kobak. Attraction-Repulsion Spectrum in Neighbor Embeddings. JMLR 23, 2022.
[Paccanaro2001]
    Alberto Paccanaro, Geoffrey Hinton. Learning distributed representations of concepts using linear relational
    embedding. IEEE Transactions on Knowledge and Data Engineering 13, 2001.
[Reichardt2006]
    Joerg Reichardt, Stefan Bornholdt. Statistical mechanics of community detection. Physical Review E 74, 2006.
[Blondel2008]
    Vincent Blondel, Jean-Loup Guillaume, Renaud Lambiotte, Etienne Lefebvre. Fast unfolding of communities in large
    networks. Journal of Statistical Mechanics, 2008.
[Epasto2017]
    Alessandro Epasto, Silvio Lattanzi, Renato Paes Leme. Ego-splitting framework: from non-overlapping to overlapping
    clusters. KDD, 2017.
[Nabney]
    Ian Nabney. Advanced Data Analytics, Week 1: SNE. A lecture.
"""
