"""Monthly rule books over many machines: Apache Spark spreads the units of work, the kernels rate."""
