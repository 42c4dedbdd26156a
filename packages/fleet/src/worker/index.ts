export { startWorker, type StartedWorker, type WorkerOptions } from './endpoint.ts'
export { type OpeningPlace, type RunOpener, type RunPart, type RunPlace } from './performance.ts'
export {
  baseOf,
  latestSnapshot,
  patchOf,
  readCredentials,
  resultOf,
  runFolders,
  type Workplace,
} from './folders/index.ts'
