/** Objects of runs and of the dispatcher, kept by Restate, and those who speak to them. */
export { adminUrlOf, restateAdmin, type RestateAdmin } from './admin.ts'
export { fleetClient, type FleetClient } from './client.ts'
export { forgetLostWorkers, lookForLost, type LostWatch } from './forget-lost.ts'
export { runObjectName, tirelessly, workerServiceName, type RunObject } from './names.ts'
export { readMessage } from './read-message.ts'
export { repeat } from './repeat.ts'
export {
  serveCoordinator,
  serveEndpoint,
  type CoordinatorOptions,
  type Listening,
  type ServedEndpoint,
} from './serve.ts'
export {
  fleetRequest,
  interruptOrder,
  performanceOrder,
  type FleetRequest,
  type FleetRun,
  type PerformanceEnd,
  type PerformanceOrder,
} from './shapes.ts'
export { wakeAnswered, type AnswerWatch } from './wake-answered.ts'
