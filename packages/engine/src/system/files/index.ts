export {
  confine,
  type ConfinedPath,
  hasMoved,
  maxFileBytes,
  readBytes,
  readTextFile,
  resolveLinks,
  textOfBytes,
} from './confine.ts'

export { commitChanges, type Committed, readOnlyProblem } from './commit-changes.ts'
export { newFileMode, withNewFileModes } from './file-operations.ts'
export { confinedFiles, nearestManifest, patchFormatOf, planInFolder } from './plan-in-folder.ts'
