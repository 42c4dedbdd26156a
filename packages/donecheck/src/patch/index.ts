/** Patches: V4A and others, what they ask for and what becomes of the files. Pure. */
export type {
  AddHunk,
  Chunk,
  ChunkLine,
  DeleteHunk,
  Hunk,
  ParsedPatch,
  PatchDialect,
  PatchLine,
  UpdateHunk,
} from './hunk.ts'
export { newLinesOf, oldLinesOf } from './hunk.ts'
export { parsePatch, type ParseOptions } from './parse.ts'
export {
  lineSeeker,
  seekLines,
  type LineSeeker,
  type Likeness,
  type Place,
  type SeekOptions,
} from './seek.ts'
export { decodeUtf8, encodeUtf8, type Decoded } from './utf8.ts'
export { applyCompatible, type CompatibleResult } from './compatible/apply.ts'
export { joinPath } from './compatible/paths.ts'
export { invokeCompatible, type CompatibleInvocation } from './compatible/invocation.ts'
export type { CompatibleFiles, ReadBytes } from './compatible/port.ts'
export type { ChangedFile, ChangeSet, FileImage, FileLook, PatchFiles } from './change-set.ts'
export { describeProblem, describeProblems } from './plan/plan.ts'
export type { NearestMiss, PatchProblem, PatchProblemKind, Plan, PlanOptions } from './plan/plan.ts'
export { planPatch } from './plan/plan-patch.ts'
export { relativePathOf, type RelativePath } from './plan/relative-path.ts'
export { decodeTextFile, markedText, type TextFile } from './text/text-file.ts'
export { unifiedDiffOf } from './unified/unified-diff-of.ts'
export { patchOf } from './reverse/patch-of.ts'
export { planReceipt, receiptOf, reverseOf, type ReceiptPlan } from './reverse/receipt.ts'
export { isReceipt } from './reverse/receipt-schema.ts'
export { planExactEdits, type ExactEdit } from './plan/plan-exact-edits.ts'
export { planUnifiedDiff } from './plan/plan-unified-diff.ts'
export { PatchStream, type PatchStreamEnd } from './stream/patch-stream.ts'
export type { PatchStreamEvent } from './stream/patch-stream-event.ts'
