import type { Verdict } from '../../events/index.ts'
import type { Verifier, VerifierReport } from '../../ports.ts'
import { command, type CommandOptions } from '../command.ts'
import { askingOf, describeVerifier, timeoutOf } from '../describe-verifier.ts'
import { detectChecks } from '../project/detect-checks.ts'
import type { CheckKind } from '../project/detected.ts'
import { interrupted, undecided } from '../undecided.ts'
import { noteOfChoice, readNote, type Choice } from './choice-note.ts'

export interface PresetOptions extends CommandOptions {
  /** The line to run. Default: what the project's own files name, chosen once, by the first verification. */
  readonly command?: string
}

/**
 * A check whose command line is found in the project. The line is fixed by the first verification that finds one, which
 * in a run is the baseline: what the drive writes into manifests later cannot choose another. A verifier that is made
 * anew, after a resume, takes the line of the baseline's verdict. While none is found it is looked for again, and the
 * verdict is `error`.
 * @throws {UsageError} for an empty line or name, or impossible bounds
 */
export function presetOf(check: CheckKind, { command: line, ...options }: PresetOptions): Verifier {
  const named = { ...options, name: options.name ?? check }
  if (line !== undefined) return command(line, named)
  timeoutOf(named)
  let chosen: Chosen | undefined
  const choose = async (baseline: Verdict | undefined, workFolder: string): Promise<Chosen | NoChoice> => {
    if (chosen !== undefined) return chosen
    const choice = chosenBefore(check, baseline) ?? (await detect(check, workFolder))
    if (choice.kind === 'none') return choice
    // Of two that look at once the first to find a line decides.
    chosen ??= { ...choice, runner: command(choice.line, named) }
    return chosen
  }
  const preset: Verifier = {
    description: describeVerifier(named.name, named),
    ...askingOf(named),
    // Before the line is known, its verdict is never taken from an earlier one.
    get inputs() {
      return chosen?.runner.inputs
    },
    async ready({ baseline, workFolder }) {
      if (workFolder !== null) await choose(baseline, workFolder)
    },
    async verify(context, signal) {
      const { workFolder, baseline } = context
      if (workFolder === null)
        return undecided(`${named.name} has no work folder to look at; give the run one`)
      if (signal.aborted) return interrupted()
      const choice = await choose(baseline, workFolder)
      if (choice.kind === 'none')
        return undecided(`${named.name} cannot be checked: ${choice.reason}`, 'infrastructure')
      return withNote(await choice.runner.verify(context, signal), noteOfChoice(check, choice))
    },
  }
  return preset
}

interface Chosen extends Choice {
  readonly runner: Verifier
}

function chosenBefore(check: CheckKind, baseline: Verdict | undefined): Choice | undefined {
  const [first] = baseline?.evidence ?? []
  return first?.kind === 'note' ? readNote(check, first.text) : undefined
}

interface NoChoice {
  readonly kind: 'none'
  readonly reason: string
}

async function detect(check: CheckKind, folder: string): Promise<Choice | NoChoice> {
  const project = await detectChecks(folder)
  const found = project[check]
  if (found.kind === 'found') return { kind: 'chosen', line: found.command, why: found.why }
  const problems = project.problems.map((problem) => `; ${problem}`).join('')
  const wayOut = `name the command, such as ${exampleOf[check]}`
  return {
    kind: 'none',
    reason: `nothing was found that makes it (looked for ${found.lookedFor})${problems}; ${wayOut}`,
  }
}

const exampleOf: Readonly<Record<CheckKind, string>> = {
  tests: "testsPass({ command: 'npm test' })",
  lint: "lintPass({ command: 'npm run lint' })",
  typecheck: "typecheckPass({ command: 'npx tsc --noEmit' })",
  build: "buildPass({ command: 'npm run build' })",
}

function withNote(report: VerifierReport, text: string): VerifierReport {
  return { ...report, evidence: [{ kind: 'note', text }, ...report.evidence] }
}
