/** One machine of the fleet: performs the decisions of runs, in folders that it prepares. */
export { startWorker, type StartedWorker, type WorkerOptions } from './endpoint.ts'
export type { OpeningPlace, RunOpener, RunPart, RunPlace } from './ports.ts'
export {
  baseOf,
  FolderError,
  latestSnapshot,
  readCredentials,
  resultOf,
  runFolders,
  patchOf,
  type Credential,
  type Delivery,
  type FolderRequest,
  type RunFolder,
  type RunFolders,
  type RunOutcome,
  type FolderPlace,
  type Workplace,
} from './folders/index.ts'
