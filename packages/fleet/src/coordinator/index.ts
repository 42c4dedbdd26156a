/** Objects of runs and of the dispatcher, kept by Restate, and those who speak to them. */
export { adminUrlOf, restateAdmin, type RestateAdmin } from './admin.ts'
export { fleetClient, type FleetClient } from './client.ts'
export { forgetLostWorkers, lookForLost } from './forget-lost.ts'
export { runObjectName, tirelessly, workerServiceName, type RunObject } from './names.ts'
export { readMessage } from './read-message.ts'
export { repeat } from './repeat.ts'
export { serveCoordinator, serveEndpoint, type Listening, type ServedEndpoint } from './serve.ts'
export {
  interruptOrder,
  performanceOrder,
  type FleetRequest,
  type FleetRun,
  type PerformanceEnd,
  type PerformanceOrder,
} from './shapes.ts'
export { wakeAnswered } from './wake-answered.ts'
