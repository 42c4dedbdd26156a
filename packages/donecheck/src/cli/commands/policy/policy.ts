import { UsageError } from '@donecheck/engine/internal/base'
import {
  checkOutput,
  examineScript,
  loadRules,
  matchPrefixRules,
  type PolicyRule,
  type ScriptReport,
  explain,
  explainMatch,
  type CommandReport,
} from '@donecheck/engine/gate'
import { type CliIo, resolveWorkFolder } from '../../process/io.ts'
import { namedRules, problemLine } from '../../wiring/gate/rules-folder.ts'
import { paintLines, quoteWord } from '../../output/wrap.ts'
import type { PolicyFlags, PolicyInForce } from '../../wiring/gate/policy-in-force.ts'
import type { RuleMatch } from '@donecheck/core/internal/events'
import { type Line, line } from '@donecheck/core/internal/base'

const faultyRulesExitCode = 1

/** Decides a line as a run here would, and a single command by `--rules` alone. Exits with 0 whatever the decision. */
export async function policyCheckCommand(
  words: readonly string[],
  flags: PolicyFlags,
  io: CliIo,
): Promise<number> {
  const asked = askedOf(words, flags)
  const print = (answer: object) => {
    io.stdout.write(`${JSON.stringify(answer, null, flags.pretty === true ? 2 : undefined)}\n`)
    return 0
  }
  if (asked.kind === 'script')
    return await withPolicy(flags, io, (policy) => print(scriptJson(examineScript(asked.script, policy))))
  const folder = resolveWorkFolder(flags.workdir, io)
  return await withRules(flags, io, (rules) =>
    print(
      checkOutput(
        matchPrefixRules(rules, asked.words, {
          resolveHostExecutables: flags.resolveHostExecutables === true,
          folder,
        }),
      ),
    ),
  )
}

export async function policyExplainCommand(
  words: readonly string[],
  flags: PolicyFlags,
  io: CliIo,
): Promise<number> {
  const asked = askedOf(words, flags)
  const script = asked.kind === 'script' ? asked.script : asked.words.map(quoteWord).join(' ')
  return await withPolicy(flags, io, (policy) => {
    io.stdout.write(`${paintLines(scriptLines(examineScript(script, policy)), io)}\n`)
    return 0
  })
}

type Asked =
  | { readonly kind: 'script'; readonly script: string }
  | { readonly kind: 'command'; readonly words: readonly string[] }

function askedOf(words: readonly string[], { script }: PolicyFlags): Asked {
  if (script !== undefined && words.length > 0)
    throw new UsageError('give either --script or a command word by word, not both')
  if (script !== undefined) return { kind: 'script', script }
  const [line] = words
  if (line === undefined) throw new UsageError('give a command word by word, or a line with --script')
  // A single argument with spaces is a command line.
  if (words.length === 1 && /\s/u.test(line.trim())) return { kind: 'script', script: line }
  return { kind: 'command', words }
}

/** Loaded late: a single command needs no configuration. */
async function withPolicy(
  flags: PolicyFlags,
  io: CliIo,
  answer: (policy: PolicyInForce['policy']) => number,
): Promise<number> {
  const { policyInForce } = await import('../../wiring/gate/policy-in-force.ts')
  const found = await policyInForce(flags, io)
  return found.kind === 'in-force' ? answer(found.policy) : reportFaults(found.problems, io)
}

async function withRules(
  { rules = [] }: PolicyFlags,
  io: CliIo,
  answer: (rules: readonly PolicyRule[]) => number,
): Promise<number> {
  const loaded = await loadRules(namedRules(rules, io))
  if (loaded.kind === 'rules') return answer(loaded.rules)
  return reportFaults(loaded.problems.map(problemLine), io)
}

function reportFaults(problems: readonly string[], io: CliIo): number {
  for (const problem of problems) io.stderr.write(`donecheck: ${problem}\n`)
  return faultyRulesExitCode
}

function scriptJson({ script, decision, commands, ...others }: ScriptReport): object {
  const { kind, reason, label, amendment, shadow, outsideSandbox } = decision
  return {
    ...{ script, decision: kind, reason },
    ...(label !== undefined && { label }),
    ...(amendment !== undefined && { amendment }),
    ...(shadow !== undefined && { shadow }),
    ...(outsideSandbox !== undefined && { outsideSandbox }),
    commands: commands.map(({ kind: own, ...rest }) => ({ ...rest, decision: own })),
    ...others,
  }
}

const tones = { allow: 'good', prompt: 'strong', forbidden: 'bad' } as const

function scriptLines(report: ScriptReport): readonly Line[] {
  const { script, decision, commands, obstacles } = report
  const [head = '', ...rest] = explain({ ...decision, matches: [] })
  return [
    line(tones[decision.kind], head),
    ...rest.map((text) => line('plain', text)),
    ...commands.flatMap((command) => commandLines(command, script)),
    ...report.matches.flatMap((match) => [line('plain', ''), ...matchLines(match, script)]),
    ...(obstacles.length === 0 ? [] : [line('plain', '')]),
    ...obstacles.map(({ reason, isOpen }) =>
      line('plain', `${isOpen ? 'not known' : 'not known, and of no weight here'}: ${reason}`),
    ),
  ]
}

function commandLines(command: CommandReport, script: string): readonly Line[] {
  const { words, span, through, kind, matches, reason } = command
  const text =
    span === null
      ? words.map((word) => (word === null ? '?' : quoteWord(word))).join(' ')
      : script.slice(...span)
  return [
    line('plain', ''),
    line(tones[kind], `${kind}  ${text.replaceAll(/\s*\n\s*/gu, ' ')}`),
    ...(through.length === 0 ? [] : [line('plain', `  through ${through.join(', ')}`)]),
    ...(matches.length === 0
      ? [line('plain', `  ${reason}`)]
      : matches.flatMap((match) => matchLines(match, script))),
  ]
}

function matchLines(match: RuleMatch, script: string): readonly Line[] {
  return explainMatch(match, script).map((text) => line('plain', `  ${text}`))
}
