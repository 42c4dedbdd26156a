export {
  adminUrlOf,
  restateAdmin,
  type RestateAdmin,
  fleetClient,
  type FleetClient,
  runObjectName,
  tirelessly,
  workerServiceName,
  type RunObject,
} from './client.ts'
export { forgetLostWorkers, lookForLost, repeat, wakeAnswered } from './forget-lost.ts'
export {
  readMessage,
  interruptOrder,
  performanceOrder,
  type FleetRequest,
  type FleetRun,
  type PerformanceEnd,
  type PerformanceOrder,
} from './shapes.ts'
export { serveCoordinator, serveEndpoint, type Listening, type ServedEndpoint } from './serve.ts'
