export {
  capturesContent,
  runIds,
  telemetryObserver,
  type RunIds,
  type TelemetryObserver,
  type TelemetryOptions,
} from './observer.ts'
export { isTelemetryOn, startTelemetry, type Telemetry } from './sdk.ts'
