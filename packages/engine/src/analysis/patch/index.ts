/** Patches: V4A and others, what they ask for and what becomes of the files. Pure. */
export { oldLinesOf, type Chunk, type ChunkLine, type Hunk } from './hunk.ts'
export { parsePatch } from './parse.ts'
export { decodeUtf8 } from './utf8.ts'
export { applyCompatible, invokeCompatible, joinPath, type CompatibleFiles } from './plan/apply-compatible.ts'
export type { ChangedFile, ChangeSet, FileImage, FileLook, PatchFiles } from './change-set.ts'
export {
  describeProblem,
  describeProblems,
  type PatchProblem,
  type PatchProblemKind,
  type Plan,
} from './plan/plan.ts'
export { planPatch } from './plan/plan-patch.ts'
export { decodeTextFile, textWithMark } from './text-file.ts'
export { unifiedDiffOf } from './unified/unified-diff-of.ts'
export { planExactEdits } from './plan/plan-exact-edits.ts'
export { planUnifiedDiff } from './plan/plan-unified-diff.ts'
