/** Trees of files: read from a folder or commit, stored in our own git repository, written to folders. */
export { assertGit, GitNeededError, ownGitEnvironment } from './store/git.ts'
export { hashBlob, type ObjectId, type TreeFile } from './store/objects.ts'
export { maxStoredBytes, openTrees, type Overlay, type OverlayFile, type Trees } from './store/open-trees.ts'
export {
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
} from './paths.ts'
export { ContentDigests, fileReader } from './folder/content-digests.ts'
export { maxTextBytes, readContent, readEntryBytes, storeTree, textIn } from './folder/contents.ts'
export { gitOrWalkWorkspace } from './folder/fingerprint.ts'
export { installed, isCache, listByWalk, listIgnored } from './folder/list-tree.ts'
export { readTree, readWholeTree, type TreeEntries } from './folder/read-tree.ts'
export { readText, type TreeEntry } from './folder/tree-entry.ts'
export { makeRepository } from './revision/own-repository.ts'
export { treeOfRevision } from './revision/tree-of-revision.ts'
