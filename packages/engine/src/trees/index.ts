/** Trees of files, stored by git in a repository of our own, and laid into folders. */
export { assertGit, GitNeededError, ownGitEnvironment } from './git.ts'
export { hashFile } from './lay.ts'
export { blobHash, hashBlob, type ObjectId, type TreeFile, type TreeFiles } from './objects.ts'
export {
  maxStoredBytes,
  openTrees,
  type Overlay,
  type OverlayFile,
  type SizedFile,
  type Trees,
} from './open-trees.ts'
export {
  bytePathOf,
  bytePathOfText,
  errorCodeOf,
  fileUnder,
  foldersAbove,
  namesIn,
  parentOf,
  SnapshotError,
  textOf,
  writeWhole,
  type BytePath,
  type FilePath,
} from './paths.ts'
