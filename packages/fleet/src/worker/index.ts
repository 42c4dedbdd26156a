/** One machine of the fleet: performs the decisions of runs, in folders that it prepares. */
export {}
