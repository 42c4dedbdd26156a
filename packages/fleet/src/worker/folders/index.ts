/** Folders of runs: made from a repository, kept turn by turn, made again elsewhere, and handed on. */
export { readCredentials } from './credentials.ts'
export { FolderError } from './git.ts'
export { baseOf, latestSnapshot, patchOf, resultOf } from './kept.ts'
export { runFolders, type RunFolder, type RunFolders, type Workplace } from './run-folders.ts'
export type { PartLaid } from './parts.ts'
