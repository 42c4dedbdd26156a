/** What runs tell an observatory: traces, metrics and logs of OpenTelemetry, made of their events. */
export { capturesContent, isTelemetryOn } from './environment.ts'
export { telemetryObserver } from './observer.ts'
export type { TelemetryObserver, TelemetryOptions } from './observer.ts'
export { runIds } from './run-ids.ts'
export type { RunIds } from './run-ids.ts'
export { startTelemetry } from './sdk.ts'
export type { Telemetry } from './sdk.ts'
