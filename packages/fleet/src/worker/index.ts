/** One machine of the fleet: performs the decisions of runs, in folders that it prepares. */
export { startWorker, type StartedWorker, type WorkerOptions } from './endpoint.ts'
export type { OpeningPlace, RunOpener, RunPart, RunPlace } from './ports.ts'
export {
  baseOf,
  latestSnapshot,
  patchOf,
  readCredentials,
  resultOf,
  runFolders,
  type Workplace,
} from './folders/index.ts'
