import type { GateKind } from '@donecheck/core/gate'
import type { RuleMatch } from '@donecheck/core/events'
import type { GateDecision } from '../../ports/gate.ts'
import type { Obstacle, Span, WriteTarget } from '../../analysis/shell/index.ts'
import { settle } from './decide/settle.ts'
import { examineLine } from './decide/examine-line.ts'
import { type PolicyGateOptions, policyGateKeys } from './gate-options.ts'
import { learnedRules } from './answers/learned-rules.ts'
import { gateDecisionOf, gateContextOf } from './gate-context-of.ts'
import { examinedLine } from './examine.ts'
import { assertKnownKeys, given } from '../../base/index.ts'

/** One command that the line would run. */
export interface CommandReport {
  /** Null: only known when it runs. */
  readonly words: readonly (string | null)[]
  readonly span: Span
  /** Where its span is null: the place of the words that hold its text. */
  readonly holder?: NonNullable<Span>
  /** The programs through which it is started, outermost first. */
  readonly through: readonly string[]
  readonly isTransparent: boolean
  /** Of this command alone. */
  readonly kind: GateKind
  readonly reason: string
  readonly matches: readonly RuleMatch[]
}

export interface ScriptReport {
  readonly script: string
  readonly decision: GateDecision
  readonly commands: readonly CommandReport[]
  /** Those that belong to no single command: of files that are written to, and of the whole line. */
  readonly matches: readonly RuleMatch[]
  /** `isOpen`: it keeps it from being told what would run. */
  readonly obstacles: readonly (Obstacle & { readonly isOpen: boolean })[]
  readonly writes: readonly WriteTarget[]
}

/** What a gate with these options would say of a command line in its work folder, in all detail. */
export function examineScript(script: string, options: PolicyGateOptions): ScriptReport {
  assertKnownKeys(options, policyGateKeys, 'examineScript')
  const around = gateContextOf(options, learnedRules(options.rules, undefined))()
  const line = examineLine(script, around)
  const { decomposition, open, commands } = line
  const ofCommands = new Set(commands.flatMap(({ matches }) => matches))
  return {
    script,
    decision: gateDecisionOf(examinedLine(line, around), around.approval),
    commands: commands.map(({ found, objections, matches, isHarmless }): CommandReport => {
      const { span, holder, through, isTransparent } = found
      const whenFine = isHarmless ? 'it only reads' : 'nothing is against it'
      const { kind, reason } = settle(objections, around.approval, whenFine)
      return {
        words: found.words.map(({ text }) => text),
        ...{ span, ...given({ holder }), through, isTransparent, kind, reason, matches },
      }
    }),
    matches: line.matches.filter((match) => !ofCommands.has(match)),
    obstacles: decomposition.obstacles.map((obstacle) => ({ ...obstacle, isOpen: open.includes(obstacle) })),
    writes: decomposition.writes,
  }
}
