/** One session over a loop that somebody else owns. */
export type { Ride, RideOptions } from './ride.ts'
