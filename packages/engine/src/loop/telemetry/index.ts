/** What runs tell an observatory: traces, metrics and logs of OpenTelemetry, made of their events. */
export { capturesContent, isTelemetryOn } from './environment.ts'
export { telemetryObserver, type TelemetryObserver, type TelemetryOptions } from './observer.ts'
export { runIds, type RunIds } from './run-ids.ts'
export { startTelemetry, type Telemetry } from './sdk.ts'
