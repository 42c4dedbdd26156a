import { UsageError, assertKnownKeys, assertObject } from '../../../base/index.ts'
import type { PatchChecker, Verifier, VerifierReport } from '../../../ports/checks.ts'
import { verifierBy, type UserVerifier } from '../reports/verifier-of.ts'
import { failedReport, passedReport, quoteText, undecidedReport } from '../reports/reports.ts'
import {
  readText,
  readsOf,
  showSource,
  sourceOf,
  type SourceOptions,
  sourceKeys,
} from '../texts/text/source.ts'

/** A fence of three or more, closed by one of at least that length. */
const fencedPatch = /^(`{3,})(?:diff|patch)[ \t]*\r?\n([\s\S]*?)^\1`*[ \t]*$/gmu

/**
 * A patch applies to the work tree. Reads the patch (by default the answer, as a whole or in its only fenced block that is called
 * `diff` or `patch`) and, through the checker, the files that it names; changes nothing.
 * It proves that every hunk finds its place now, not that the change is right.
 *
 * No patch, or one that does not apply: `failed`, with the place where that is known. A checker that throws: `error`.
 * Never remembered: a checker may look at anything.
 * @throws {UsageError} for a source that is none
 */
export function patchApplies(checker: PatchChecker, options: SourceOptions = {}): Verifier {
  assertKnownKeys(options, sourceKeys, 'patchApplies')
  assertObject(checker, 'the checker of patchApplies', 'a patch checker, such as gitPatchChecker()')
  if (typeof checker.check !== 'function')
    throw new UsageError('the checker has no "check"; give a patch checker, such as gitPatchChecker()')
  const source = sourceOf(options.source)
  const name = options.name ?? `patch applies, in ${showSource(source)}`
  const ask: UserVerifier = async (context, signal) => {
    const { workFolder } = context
    if (workFolder === null)
      return undecidedReport(`${name} has no work folder to apply to; give the run one`)
    const read = await readText(source, context, signal)
    if (read.kind === 'not-read') return read.report
    const patches = 'answer' in source ? patchesIn(read.value) : [read.value]
    const [patch = '', ...others] = patches
    if (others.length > 0)
      return failedReport(`${showSource(source)} has ${patches.length} patches; it must have exactly one`)
    if (patch.trim() === '') return failedReport(`there is no patch in ${showSource(source)}`)
    const report = await checkPatch(checker, patch, workFolder, signal)
    return { ...report, evidence: [...read.evidence, ...report.evidence] }
  }
  return verifierBy(name, ask, {
    ...options,
    looksAt: 'work-folder',
    reads: readsOf(source),
  })
}

async function checkPatch(
  checker: PatchChecker,
  patch: string,
  workFolder: string,
  signal: AbortSignal,
): Promise<VerifierReport> {
  const answer = await checker.check(patch, workFolder, signal)
  switch (answer.kind) {
    case 'applies': {
      if (answer.files.length === 0) return failedReport('the patch changes nothing')
      const files = answer.files.map((file) => quoteText(file, 200)).join(', ')
      return passedReport(`the patch applies (${answer.files.length} files)`, { kind: 'note', text: files })
    }
    case 'does-not-apply': {
      const place = answer.place === undefined ? '' : `, at ${answer.place}`
      return failedReport(`the patch does not apply${place}: ${answer.reason}`)
    }
    default:
      return undecidedReport(
        `the checker answered ${quoteText(JSON.stringify(answer))}, which is not understood`,
      )
  }
}

/** A text without such a fence is the patch as a whole. */
function patchesIn(text: string): readonly string[] {
  const fenced = [...text.matchAll(fencedPatch)].map(([, , inside = '']) => inside)
  return fenced.length > 0 ? fenced : [text]
}
