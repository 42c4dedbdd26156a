/** Runs as durable objects of Restate, and who places them on workers. */
export {}
