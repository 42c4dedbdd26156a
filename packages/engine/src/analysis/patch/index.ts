/** Parses patches (V4A, unified diff, exact edits) and plans the file changes. Pure. */
export { type Chunk, type ChunkLine, type Hunk, oldLinesOf, parsePatch } from './patch-text.ts'
export { decodeTextFile, decodeUtf8, textWithMark } from './file-text.ts'
export { planExactEdits, planHunks, planPatch } from './plan-patch.ts'
export {
  type ChangedFile,
  type ChangeSet,
  describeProblem,
  describeProblems,
  type FileImage,
  type FileLook,
  type PatchFiles,
  type PatchProblem,
  type PatchProblemKind,
  type Plan,
} from './plan.ts'
export { planUnifiedDiff, unifiedDiffOf } from './unified.ts'
