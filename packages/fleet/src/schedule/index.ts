/** Which worker takes which run next: pure, for the coordinator and the simulator. */
export {}
