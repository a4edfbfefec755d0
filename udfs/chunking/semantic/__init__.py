"""Cutting where the topic changes: sentences, their vectors, and where these part.

sentences.py     which sentences a slab has
models.py        finds, checks and loads the model (model_files.py, static_model.py, transformer_model.py)
vectors.py       embeds all sentences of a slab in one call
similarity.py    compares what stands before and behind a boundary
dips.py          cuts where both are least alike
optimal.py       or divides the whole document at its best
topic_cut.py     packs: chunks end there, and at the limit
"""
