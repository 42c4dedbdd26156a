/** What a linter would say of the sources without the comments in them that speak to it. */
import { realpath } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { z } from 'zod'
import type { VerifierReport } from '../../../ports/checks.ts'
import { jsonOf } from '../../../base/index.ts'
import { makeScratchFolder, removeScratchFolder } from '../../../system/process/index.ts'
import { withWords } from './test-reports/ask-for-report.ts'
import { findLinter } from './test-reports/find-runner.ts'
import { runAsked, type LineToRun } from './test-reports/run-asked.ts'
import { readTextReport } from './test-reports/take-report.ts'

/** `PATH: MESSAGE` of each complaint → how many there are. */
type Complaints = ReadonlyMap<string, number>

const eslintReport = z.array(
  z.looseObject({
    filePath: z.string(),
    messages: z.array(z.looseObject({ severity: z.number(), message: z.string() })),
  }),
)
const ruffReport = z.array(z.looseObject({ filename: z.string(), message: z.string() }))

/** Words that have the complaints written into a file whose path follows, and one before them that switches comments off. */
const words: Readonly<
  Record<'eslint' | 'ruff', { readonly off: string; readonly report: readonly string[] }>
> = {
  eslint: { off: '--no-inline-config', report: ['--format', 'json', '--output-file'] },
  ruff: { off: '--ignore-noqa', report: ['--output-format', 'json', '--output-file'] },
}

/**
 * The complaints that comments in the sources keep a line from making that runs one linter and nothing else.
 * @param isGreen it makes none with them
 * @returns undefined for any other line, and where it gives no report
 */
export async function hiddenComplaints(run: LineToRun, isGreen: boolean): Promise<Complaints | undefined> {
  const all = await complaintsOf(run, true)
  if (all === undefined || all.size === 0) return all
  const made = isGreen ? new Map<string, number>() : await complaintsOf(run, false)
  if (made === undefined) return undefined
  return new Map([...all].map(([complaint, count]) => [complaint, count - (made.get(complaint) ?? 0)]))
}

async function complaintsOf(run: LineToRun, isOff: boolean): Promise<Complaints | undefined> {
  const found = findLinter(run.line, run.folder)
  if (found === undefined || (found.runner !== 'eslint' && found.runner !== 'ruff')) return undefined
  if (!found.isAlone || found.insertAt === undefined) return undefined
  const home = makeScratchFolder('run')
  try {
    const place = join(home, 'report.json')
    const { off, report } = words[found.runner]
    const line = withWords(run.line, found, [...(isOff ? [off] : []), ...report, place])
    const ran = await runAsked({ ...run, line, asks: false })
    await ran.asked.dispose()
    const text = await readTextReport(place)
    return text === undefined ? undefined : await complaintsIn(text, found.runner, run.folder)
  } finally {
    removeScratchFolder(home)
  }
}

async function complaintsIn(
  text: string,
  runner: 'eslint' | 'ruff',
  folder: string,
): Promise<Complaints | undefined> {
  const root = await realpath(folder).catch(() => folder)
  const report: unknown = jsonOf(text)
  const counts = new Map<string, number>()
  const count = (file: string, message: string): void => {
    const key = `${relative(root, file)}: ${message}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  if (runner === 'eslint') {
    const parsed = eslintReport.safeParse(report)
    if (!parsed.success) return undefined
    for (const { filePath, messages } of parsed.data)
      for (const { severity, message } of messages) if (severity === 2) count(filePath, message)
  } else {
    const parsed = ruffReport.safeParse(report)
    if (!parsed.success) return undefined
    for (const { filename, message } of parsed.data) count(filename, message)
  }
  return counts
}

/**
 * The green report of a linter, unless comments that the baseline did not have keep complaints from being made.
 * @param granted paths that somebody has allowed to change
 */
export function judgeHidden(
  name: string,
  report: VerifierReport,
  now: Complaints,
  baseline: Complaints,
  granted: readonly string[],
): VerifierReport {
  const hidden = [...now].flatMap(([complaint, count]) => {
    const isGranted = granted.some((path) => complaint.startsWith(`${path}: `))
    return isGranted || count <= (baseline.get(complaint) ?? 0) ? [] : [complaint]
  })
  const [first] = hidden
  if (first === undefined) return report
  const more = hidden.length === 1 ? '' : ` (and ${hidden.length - 1} more)`
  return {
    ...report,
    status: 'failed',
    reason: `${name} passes only because a comment hides what it did not hide before: ${first}${more}`,
    qualifiers: [...report.qualifiers, 'tampered'],
  }
}
