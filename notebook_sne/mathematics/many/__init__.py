"""The mathematics of very many objects, where what is exact for some takes hours: `copies` moves copies by fields."""
