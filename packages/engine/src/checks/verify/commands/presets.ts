/** Checks that find their command in the project's manifests, else `unverifiable`. Milliseconds. */
import type { Verdict } from '@donecheck/core/internal/events/verdicts'
import { z } from 'zod'
import type { Verifier, VerifierResult } from '../../../ports/checks.ts'
import { interruptedReport, unanswerable, undecidedResult } from '../reports/reports.ts'
import { describeVerifier, readOptions } from '../reports/verifier-of.ts'
import { command, commandOptions } from './command.ts'
import { detectChecks } from './project/detect-checks.ts'
import type { CheckKind } from './project/project-files.ts'

const presetOptions = commandOptions.extend({
  /** Default: found in the project by the first verification, then fixed. */
  command: z.string().optional(),
})
type PresetOptions = Readonly<z.infer<typeof presetOptions>>

/**
 * Proves that tests pass, by exit code and report: no test, a failure, or fewer than on the baseline is
 * `failed`.
 * @throws {UsageError} for an empty line or name, or invalid limits
 */
export function testsPass(options: PresetOptions = {}): Verifier {
  return presetOf('tests', options)
}

/** Proves that the linter exits with 0. @throws {UsageError} for an empty line or name, or invalid limits */
export function lintPass(options: PresetOptions = {}): Verifier {
  return presetOf('lint', { tests: 'off', ...options })
}

/** Proves that the project's type checker or compiler exits with 0 for the configured files. */
export function typecheckPass(options: PresetOptions = {}): Verifier {
  return presetOf('typecheck', { tests: 'off', ...options })
}

/** Proves that the project's build exits with 0. Exclusive, because it writes to the tree. */
export function buildPass(options: PresetOptions = {}): Verifier {
  return presetOf('build', { tests: 'off', exclusive: true, ...options })
}

/**
 * The first verification fixes the line, so later manifests cannot change it; a resume reads it from the
 * baseline's verdict.
 * @throws {UsageError} for an empty line or name, or invalid limits
 */
function presetOf(check: CheckKind, given: PresetOptions): Verifier {
  const { command: line, ...options } = readOptions(presetOptions, given, `the preset ${check}`)
  const named = { ...options, name: options.name ?? check }
  if (line !== undefined) return command(line, named)
  const { description, retry, exclusive } = describeVerifier(named.name, named)
  let chosen: Chosen | undefined
  const choose = async (baseline: Verdict | undefined, workFolder: string): Promise<Chosen | NoChoice> => {
    if (chosen !== undefined) return chosen
    const choice = chosenBefore(baseline) ?? (await detect(check, workFolder))
    if (choice.kind === 'none') return choice
    // Of two concurrent lookups the first result counts.
    chosen ??= { ...choice, runner: command(choice.line, named) }
    return chosen
  }
  const preset: Verifier = {
    ...{ description, retry, exclusive },
    get inputs() {
      return chosen?.runner.inputs
    },
    async ready({ baseline, workFolder }) {
      if (workFolder !== null) await choose(baseline, workFolder)
    },
    doubt: () => chosen?.runner.doubt?.(),
    async verify(context, signal) {
      const { workFolder, baseline } = context
      if (workFolder === null)
        return undecidedResult(`${named.name} has no work folder to look at; give the run one`)
      if (signal.aborted) return interruptedReport()
      const choice = await choose(baseline, workFolder)
      if (choice.kind === 'none') return withoutChoice(named.name, choice)
      const report = await choice.runner.verify(context, signal)
      const text = `detected ${JSON.stringify(choice.line)} for ${check}: ${choice.why}`
      return { ...report, evidence: [{ kind: 'note', text }, ...report.evidence] }
    },
  }
  return preset
}

interface Choice {
  readonly kind: 'chosen'
  readonly line: string
  readonly why: string
}

interface Chosen extends Choice {
  readonly runner: Verifier
}

/** Returns the line of the baseline, whatever the agent wrote into manifests since. */
function chosenBefore(baseline: Verdict | undefined): Choice | undefined {
  const ran = baseline?.evidence.find((evidence) => evidence.kind === 'command')
  return ran && { kind: 'chosen', line: ran.command, why: 'as on the baseline tree' }
}

interface NoChoice {
  readonly kind: 'none'
  readonly reason: string
  /** A project file is unreadable, which the agent may fix. */
  readonly isPassing: boolean
}

function withoutChoice(name: string, { reason, isPassing }: NoChoice): VerifierResult {
  const words = `${name} cannot be checked: ${reason}`
  return isPassing ? undecidedResult(words, 'infrastructure') : unanswerable(words, 'unverifiable')
}

async function detect(check: CheckKind, folder: string): Promise<Choice | NoChoice> {
  const project = await detectChecks(folder)
  const found = project[check]
  if (found.kind === 'found') return { kind: 'chosen', line: found.command, why: found.why }
  const problems = project.problems.map((problem) => `; ${problem}`).join('')
  const wayOut = `name the command, such as ${exampleOf[check]}`
  return {
    kind: 'none',
    isPassing: problems !== '',
    reason: `nothing was found that makes it (looked for ${found.lookedFor})${problems}; ${wayOut}`,
  }
}

const exampleOf: Readonly<Record<CheckKind, string>> = {
  tests: `--until "npm test" (testsPass({ command: 'npm test' }))`,
  lint: `--until "npm run lint" (lintPass({ command: 'npm run lint' }))`,
  typecheck: `--until "npx tsc --noEmit" (typecheckPass({ command: 'npx tsc --noEmit' }))`,
  build: `--until "npm run build" (buildPass({ command: 'npm run build' }))`,
}
