import type { Chunk, Hunk } from '../hunk.ts'
import type { PatchProblem } from '../plan/plan.ts'

export type PatchStreamEvent =
  | {
      readonly kind: 'file-begun'
      readonly operation: Hunk['kind']
      readonly path: string
      readonly line: number
    }
  | { readonly kind: 'chunk-completed'; readonly path: string; readonly chunk: Chunk }
  | { readonly kind: 'file-completed'; readonly hunk: Hunk }
  /** What cannot become right any more, however it goes on. After a malformed line nothing else is told. */
  | { readonly kind: 'problem'; readonly problem: PatchProblem }
