"""How good is a map? Numbers, curves and tables, each from arrays alone, for any map.

=========================== ==================================================================================
`neighbor_recall`           how many nearest neighbors are still neighbors in the map
`recall_area`               the same for every number of neighbors, as one number
`trustworthiness`           whether neighbors in the map are near in the data, by ranks
`continuity`                whether neighbors in the data are near in the map, by ranks
`knn_error`                 whether objects lie among objects of their own class
`knn_confusion`             which other class they lie among, if they don't
`class_recall`              whether neighboring classes are still neighbors
`closed_loops`              whether the views of an object that is turned go round in the map
`distance_rank_correlation` whether far objects are far apart
`triplet_accuracy`          whether the nearer one of two is the nearer one in the map
`procrustes_disparity`      whether two maps are the same picture, turned, mirrored, moved or scaled
`procrustes_align`          lays one upon the other
`stability`                 how much alike the maps of several seeds are, and where they aren't
`object_scores`             each object's recall, trustworthiness and continuity, to color a map by
`kl_divergence`             the cost of a map under a P, by one formula
`object_costs`              what each object adds to it
`perturbation_scores`       how far each point goes as its object is moved in the data: objects between clusters
`singularity_scores`        how sensitive each point is where it lies: clusters that were torn
`notebook_sne.certainty`    how often objects and regions are together in fits of other seeds and resamples
=========================== ==================================================================================

Neighbors and ranks are exact (`neighbors`, `counting`). Of objects at the same distance the one with the lower number
is the nearer, so that a map gives the same number on every machine and with any number of threads. Where a measure asks
a sample of the objects or of the triplets, its number is an `Estimate`: a float that knows its standard error.

"KNN", "KNC" and "CPD" of [Kobak and Berens, 2019] are `neighbor_recall`, `class_recall` and
`distance_rank_correlation`.

Sources:

[Venna and Kaski, 2001]
    Jarkko Venna, Samuel Kaski. Neighborhood preservation in nonlinear projection methods. ICANN, 2001.
[Gower, 1975]
    John Gower. Generalized Procrustes analysis. Psychometrika 40, 1975.
[Lee, Peluffo-Ordonez and Verleysen, 2015]
    John Lee, Diego Peluffo-Ordonez, Michel Verleysen. Multi-scale similarities in stochastic neighbour embedding.
    Neurocomputing 169, 2015.
[Kobak and Berens, 2019]
    Dmitry Kobak, Philipp Berens. The art of using t-SNE for single-cell transcriptomics. Nature Communications 10,
    2019.
[Wang, Huang, Rudin and Shaposhnik, 2021]
    Yingfan Wang, Haiyang Huang, Cynthia Rudin, Yaron Shaposhnik. Understanding how dimension reduction tools work. JMLR
    22, 2021.
[Liu2025]
    Zhexuan Liu, Rong Ma, Yiqiao Zhong. Assessing and improving reliability of neighbor embedding methods: a
    map-continuity perspective. Nature Communications 16, 2025 (arXiv 2410.16608).
"""

from notebook_sne.quality.alignment import Stability, procrustes_align, procrustes_disparity, stability
from notebook_sne.quality.classes import knn_confusion, knn_error
from notebook_sne.quality.distances import distance_rank_correlation, triplet_accuracy
from notebook_sne.quality.divergence import kl_divergence, object_costs
from notebook_sne.quality.estimate import Estimate
from notebook_sne.quality.loops import closed_loops
from notebook_sne.quality.objects import object_scores
from notebook_sne.quality.ranks import continuity, trustworthiness
from notebook_sne.quality.recall import class_recall, neighbor_recall, recall_area
from notebook_sne.quality.reliability import perturbation_scores, singularity_scores

__all__ = ["knn_error", "knn_confusion", "class_recall", "neighbor_recall", "recall_area"]
__all__ += ["trustworthiness", "continuity", "distance_rank_correlation", "triplet_accuracy"]
__all__ += ["closed_loops", "procrustes_disparity", "procrustes_align", "stability", "Stability", "object_scores"]
__all__ += ["kl_divergence", "object_costs", "perturbation_scores", "singularity_scores", "Estimate"]
