export { readCredentials, FolderError } from './git.ts'
export { baseOf, latestSnapshot, patchOf, resultOf, type PartLaid } from './kept.ts'
export { runFolders, type RunFolder, type RunFolders, type Workplace } from './run-folders.ts'
