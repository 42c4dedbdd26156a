import { describeProblem, type PatchProblem } from '../../../analysis/patch/index.ts'
import type { Verifier, VerifierResult } from '../../../ports/checks.ts'
import { planInFolder } from '../../../system/files/index.ts'
import { failedReport, passedReport, quoteText, undecidedResult } from '../reports/reports.ts'
import { readOptions } from '../reports/verifier-of.ts'
import { ofText, sourceCheck, sourceOptions, type SourceOptions } from '../texts/source.ts'

const fencedPatch = /^(`{3,})(?:diff|patch)[ \t]*\r?\n([\s\S]*?)^\1`*[ \t]*$/gmu

/**
 * A unified diff or V4A patch applies to the work tree; default source: the answer or its only `diff`/`patch`
 * fence. Changes nothing. No or a failing patch: `failed`.
 * @throws {UsageError} for an invalid source
 */
export function patchApplies(given: SourceOptions = {}): Verifier {
  const options = readOptions(sourceOptions, given, 'patchApplies')
  const isAnswer = options.source === undefined || 'answer' in options.source
  return sourceCheck({
    title: 'patch applies',
    options,
    judge: ofText((text, label, { context: { workFolder } }) => {
      if (workFolder === null)
        return undecidedResult('the patch has no work folder to apply to; give the run one')
      const patches = isAnswer ? patchesIn(text) : [text]
      const [patch = '', ...others] = patches
      if (others.length > 0)
        return failedReport(`${label} has ${patches.length} patches; it must have exactly one`)
      if (patch.trim() === '') return failedReport(`there is no patch in ${label}`)
      return checkPatch(patch, workFolder)
    }),
  })
}

async function checkPatch(patch: string, workFolder: string): Promise<VerifierResult> {
  const plan = await planInFolder(workFolder, patch)
  if (plan.kind === 'refused')
    return failedReport(
      `the patch does not apply${placeOf(plan.problems)}: ${plan.problems.map(describeProblem).join('; ')}`,
    )
  if (plan.changes.length === 0) return failedReport('the patch changes nothing')
  const files = plan.changes.map(({ path }) => quoteText(path, 200)).join(', ')
  return passedReport(`the patch applies (${plan.changes.length} files)`, { kind: 'note', text: files })
}

function placeOf([first]: readonly PatchProblem[]): string {
  const line = first?.places?.[0]
  return first?.path === undefined ? '' : `, at ${first.path}${line === undefined ? '' : `:${line}`}`
}

function patchesIn(text: string): readonly string[] {
  const fenced = [...text.matchAll(fencedPatch)].map(([, , inside = '']) => inside)
  return fenced.length > 0 ? fenced : [text]
}
