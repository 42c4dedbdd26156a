import type { Committed, Recovery } from '@donecheck/engine/files'
import type { ChangeSet, PatchProblem } from '@donecheck/engine/patch'

/** What has become of a patch, and of what was left of earlier ones. */
export type PatchEnd = { readonly recoveries: readonly Recovery[] } & (
  | { readonly kind: 'refused'; readonly problems: readonly PatchProblem[] }
  | Exclude<Committed, { readonly kind: 'committed' }>
  | {
      readonly kind: 'would-change' | 'changed'
      readonly changes: ChangeSet
      readonly notes: readonly string[]
      /** Takes the change back. */
      readonly receipt: string
    }
  /** Nothing was begun; what was typed asks for something that there is not. */
  | { readonly kind: 'wrong-usage'; readonly problem: string }
)
