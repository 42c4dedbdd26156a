/** Runs over many machines. */
export {}
