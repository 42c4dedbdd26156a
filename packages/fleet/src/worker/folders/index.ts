/** Folders of runs: made from a repository, kept turn by turn, made again elsewhere, and handed on. */
export { readCredentials, type Credential } from './credentials.ts'
export { FolderError } from './git.ts'
export { baseOf, latestSnapshot, patchOf, resultOf, type Delivery, type RunOutcome } from './kept.ts'
export {
  runFolders,
  type FolderRequest,
  type RunFolder,
  type RunFolders,
  type FolderPlace,
  type Workplace,
} from './run-folders.ts'
export type { PartLaid } from './parts.ts'
