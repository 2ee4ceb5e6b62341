import numpy as np, notebook_sne as ns, time
c=time.process_time()
d=ns.datasets.load_digits().sample(30,labels=range(5),random_state=0)
S=dict(perplexity=15,init="random",n_jobs=1,progress=False)
R={"no trick": {},"two":{"jitter":ns.Annealed(10.,.02,fast=150,slow=350),"max_iter":650},"perp":{"perplexity":ns.Steps(80,15,at=150)},"dims":{"extra_dimensions":2,"max_iter":600},"pca":{"init":"pca"}}
for n,o in R.items():
    f=[ns.SNE(**S|{"random_state":s}|o).fit(d.X) for s in range(8)]
    print(n,[round(x.cost_,1) for x in f],round(np.mean([x.cost_ for x in f]),1),"%.1f"%(time.process_time()-c),flush=True)
for slow in (25,100,400):
    e=[ns.SNE(**S,random_state=s,jitter=ns.Annealed(10.,.02,fast=150,slow=slow),max_iter=300+slow).fit(d.X).cost_ for s in range(4)]
    print(slow,np.round(e,1),np.mean(e))
for above in (1.,2.,5.):
    e=[ns.SNE(**S,random_state=s,jitter=ns.Annealed(10.,.02,fast=150,slow=300,above=above),max_iter=600).fit(d.X).cost_ for s in range(4)]
    print("above",above,np.round(e,1),np.mean(e))
