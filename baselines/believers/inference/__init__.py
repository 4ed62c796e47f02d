"""Who is a Defector, from a View alone: the posterior, its model of behaviour, exact checks."""
