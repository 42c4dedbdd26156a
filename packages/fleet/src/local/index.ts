/** A fleet on one machine, for trying. */
export {}
