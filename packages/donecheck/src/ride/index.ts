/** One session over a loop that somebody else owns. */
export { createRide } from './create-ride.ts'
export { rideOver } from './riding.ts'
export { prepareAct } from './act.ts'
export { isOwnPlace, placesOf } from './own-places.ts'
export { effectOf } from './recorded-call.ts'
export type { RideParts } from './parts.ts'
export { chosenRideKeys } from './ride.ts'
export type { Ride, RideChoices, RideOptions } from './ride.ts'
export { waitsIn } from './waits.ts'
export { latestVerdicts, verificationOf } from './verification.ts'
export type { Verification, VerificationCircumstances } from './verification.ts'

// how the hooks of a project, or of a user, are configured
export { readRideFile, removeRideFile, rideFileOf, writeRideFile } from './ride-file.ts'
export type { RideConfiguration, RidePlace } from './ride-file.ts'
export { changedAtMs, hasKnownRecord, noteKnownRecord } from './known-record.ts'
export type { RecordedProject } from './known-record.ts'
