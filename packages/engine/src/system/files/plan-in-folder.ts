import {
  isReceipt,
  planPatch,
  planUnifiedDiff,
  type Plan,
  type PlanOptions,
} from '../../analysis/patch/index.ts'
import { confinedFiles } from './confined-files.ts'

export type PatchFormat = 'v4a' | 'unified'

/** What a patch would do to the files of a folder as they are now. Writes nothing. */
export async function planInFolder(
  root: string,
  text: string,
  { format, ...options }: PlanOptions & { readonly format?: PatchFormat } = {},
): Promise<Plan> {
  const problem = whyNoPatch(text)
  if (problem !== undefined) return { kind: 'refused', problems: [{ kind: 'malformed', message: problem }] }
  const plan = (format ?? patchFormatOf(text)) === 'v4a' ? planPatch : planUnifiedDiff
  return plan(text, confinedFiles(root), options)
}

function whyNoPatch(text: string): string | undefined {
  if (text.trim() === '') return 'there is no patch: the input is empty'
  return isReceipt(text)
    ? 'this is the receipt of a patch, not a patch: `donecheck patch reverse` takes it'
    : undefined
}

/** By its first line, that of a heredoc around it apart. What is neither is taken for V4A, which says so best. */
export function patchFormatOf(text: string): PatchFormat {
  const isV4a = /^\s*(?:<<\s*(['"]?)\w+\1\s*\n\s*)?\*\*\* Begin Patch\s*$/mu.test(firstLines(text))
  return isV4a || !/^(?:diff --git |--- |Index: )/mu.test(text) ? 'v4a' : 'unified'
}

function firstLines(text: string): string {
  return text.trimStart().split('\n', 2).join('\n')
}
