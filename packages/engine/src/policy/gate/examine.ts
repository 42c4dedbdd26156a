import type { RuleMatch, ToolEffect } from '@donecheck/core/internal/events'
import type { GateKind } from '@donecheck/core/internal/events/gate'
import type { FoundCommand, Obstacle, Span, WriteTarget } from '../../analysis/shell/index.ts'
import { assertOptions, given } from '../../base/index.ts'
import { matchBuiltInRules } from './built-in-rules/match-built-in-rules.ts'
import { neverReturns } from './built-in-rules/file-location.ts'
import { examineChanges } from './decide/examine-files.ts'
import { type GateContext, gateContextOf, policyGateOptions, type PolicyGateOptions } from './context.ts'
import { beginsWith, examineLine, type LineExamination } from './decide/examine-line.ts'
import {
  type ApprovalPolicy,
  ask,
  asksForUnknown,
  nameOfPolicy,
  type Objection,
  settle,
} from './objections.ts'
import { isOwnCheck } from './own-checks.ts'
import { learnedRules } from './context.ts'
import { isTooGeneral, proposeAmendment } from './rules/propose-amendment.ts'
import type { Amendment, Gate, GateDecision, GateRequest } from '../../ports/gate.ts'

export interface Examined {
  readonly objections: readonly Objection[]
  readonly matches: readonly RuleMatch[]
  readonly whenFine: string
  readonly isLeaving: boolean
  readonly isOwnCheck?: true
  readonly line?: LineExamination
  readonly amendment?: Amendment
}

export async function examine(request: GateRequest, around: GateContext): Promise<Examined> {
  const { action, hasOwnPermissions = false } = request
  if (action === undefined) {
    const whenFine = `approval is "${nameOfPolicy(around.approval)}"`
    return { objections: examineCall(request, around.approval), matches: [], whenFine, isLeaving: false }
  }
  if (action.kind === 'change') {
    const changes = await examineChanges(action.files, around)
    return { ...changes, whenFine: 'it changes files of the work folder', isLeaving: false }
  }
  const { script, folder, escalation } = action
  const placed = { ...around, place: { ...around.place, folder }, leavesUnknown: hasOwnPermissions }
  const examined = examinedLine(examineLine(script, placed, escalation), placed)
  return isOwnCheck(script, folder, { workFolder: around.place.workFolder, checks: around.ownChecks })
    ? withoutQuestions(examined, around)
    : examined
}

/** The user named this line as a check. Forbidding rules still apply, and approval `all` still asks. */
function withoutQuestions(examined: Examined, { approval }: GateContext): Examined {
  if (approval === 'all') return examined
  const objections = examined.objections.filter(({ decision }) => decision === 'forbidden')
  return { ...examined, objections, whenFine: 'it is a check of this run', isOwnCheck: true }
}

function examinedLine(line: LineExamination, around: GateContext): Examined {
  const { objections, matches } = line
  // An answer for one call is not stored.
  const isKept = around.approval !== 'all' && around.isForOneCall !== true
  const amendment = isKept ? proposalFor(line, around) : undefined
  return {
    ...{ objections, matches, line },
    whenFine: whyAllowed(line, around),
    isLeaving: line.escalation !== undefined && around.isConfined,
    ...given({ amendment }),
  }
}

function whyAllowed(
  { commands, isAllowHeeded, decomposition }: LineExamination,
  around: GateContext,
): string {
  const acting = commands.filter(({ found, isHarmless }) => !found.isTransparent && !isHarmless)
  const isWriting = decomposition.writes.some(({ path }) => path === null || !neverReturns(path))
  if (acting.length === 0 && !isWriting) return 'it only reads'
  if (acting.length === 0) return 'it only reads, and writes to files that are open to it'
  if (isAllowHeeded && acting.every(({ isAllowedByRule }) => isAllowedByRule)) return 'rules allow all of it'
  if (around.isConfined) return 'nothing is against it, and it runs in the sandbox'
  return around.leavesUnknown === true
    ? 'nothing is against it, and it is left to the permissions of the agent'
    : `approval is "${nameOfPolicy(around.approval)}"`
}

/** Only the effect of the call is known. */
function examineCall(
  { tool, effect, hasOwnPermissions }: GateRequest,
  approval: ApprovalPolicy,
): readonly Objection[] {
  if (approval === 'never' || (effect === 'read' && approval !== 'all')) return []
  if (hasOwnPermissions === true && !asksForUnknown(approval)) return []
  const reason = `${tool} ${purposes[effect]}, and approval is "${nameOfPolicy(approval)}"`
  const question = effect === 'execute' ? 'sandbox_approval' : 'changes'
  return [ask(question, 'approval_required', reason)]
}

/** The model's prefix if it is safe, else one of ours; undefined if one rule is not enough. */
function proposalFor(line: LineExamination, around: GateContext): Amendment | undefined {
  const { objections, escalation } = line
  const isByNature = objections.every(
    (one) => one.decision === 'prompt' && one.question === 'sandbox_approval',
  )
  if (!line.isAllowHeeded || objections.length === 0 || !isByNature) return undefined
  if (objections.some(({ label }) => label !== 'approval_required')) return undefined
  const asked = askedCommands(line, objections)
  const [first] = asked
  if (first === undefined) return undefined
  const texts = first.words.flatMap(({ text }) => text ?? [])
  const kind = proposeAmendment(texts, (prefix) => isStopped(prefix, around))?.prefix
  const candidates = [escalation?.prefix, kind]
  const prefix = candidates.find((candidate) => candidate !== undefined && isFit(candidate, asked, around))
  return prefix === undefined ? undefined : { prefix }
}

/** Commands that the rule must allow; to leave the sandbox, those that do more than read. */
function askedCommands(line: LineExamination, objections: readonly Objection[]): readonly FoundCommand[] {
  const indexes = new Set(objections.flatMap((one) => (one.decision === 'prompt' ? (one.command ?? []) : [])))
  const chosen = line.commands.filter((_, index) => indexes.has(index))
  const rest = line.commands.filter(({ found, isHarmless }) => !found.isTransparent && !isHarmless)
  return (chosen.length > 0 ? chosen : rest).map(({ found }) => found)
}

function isFit(prefix: readonly string[], asked: readonly FoundCommand[], around: GateContext): boolean {
  if (prefix.length === 0 || isTooGeneral(prefix) || isStopped(prefix, around)) return false
  return asked.every((command) => beginsWith(command, prefix))
}

function isStopped(prefix: readonly string[], { policy, place }: GateContext): boolean {
  const words = prefix.map((text) => ({ text, written: text, span: null }))
  const found: FoundCommand = { words, span: null, through: [], isTransparent: false }
  const byRule = policy.matchCommand(prefix, place.folder).some(({ rule }) => rule.decision !== 'allow')
  return byRule || matchBuiltInRules(found, place).matches.length > 0
}

/** One command that the line would run. */
export interface CommandReport {
  /** Null if known only at run time. */
  readonly words: readonly (string | null)[]
  readonly span: Span
  readonly through: readonly string[]
  readonly isTransparent: boolean
  /** Decision for this command alone. */
  readonly kind: GateKind
  readonly reason: string
  readonly matches: readonly RuleMatch[]
}

export interface ScriptReport {
  readonly script: string
  readonly decision: GateDecision
  readonly commands: readonly CommandReport[]
  /** Matches of written files and of the full line. */
  readonly matches: readonly RuleMatch[]
  /** `isOpen` obstacles need an answer. */
  readonly obstacles: readonly (Obstacle & { readonly isOpen: boolean })[]
  readonly writes: readonly WriteTarget[]
}

/** Explains in detail how such a gate decides a line in its work folder. */
export function examineScript(script: string, options: PolicyGateOptions): ScriptReport {
  assertOptions(policyGateOptions, options, 'examineScript')
  const around = gateContextOf(options, learnedRules(options.rules, undefined))()
  const line = examineLine(script, around)
  const { decomposition, open, commands } = line
  const ofCommands = new Set(commands.flatMap(({ matches }) => matches))
  return {
    script,
    decision: gateDecisionOf(examinedLine(line, around), around.approval),
    commands: commands.map(({ found, objections, matches, isHarmless }): CommandReport => {
      const { span, through, isTransparent } = found
      const whenFine = isHarmless ? 'it only reads' : 'nothing is against it'
      const { kind, reason } = settle(objections, around.approval, whenFine)
      return {
        words: found.words.map(({ text }) => text),
        ...{ span, through, isTransparent, kind, reason, matches },
      }
    }),
    matches: line.matches.filter((match) => !ofCommands.has(match)),
    obstacles: decomposition.obstacles.map((obstacle) => ({ ...obstacle, isOpen: open.includes(obstacle) })),
    writes: decomposition.writes,
  }
}

/** When to ask: `never`, before `writes` (anything that may change something), or before `all` calls. */
export type ApprovalMode = 'never' | 'writes' | 'all'

/** Allows or asks by the tool's effect alone; never forbids. */
export function gateByApproval(mode: ApprovalMode): Gate {
  return {
    check: async ({ tool, effect }) =>
      isAsked(mode, effect)
        ? { kind: 'prompt', reason: `${tool} ${purposes[effect]}, and approval is "${mode}"` }
        : { kind: 'allow', reason: `approval is "${mode}"` },
  }
}

const purposes: Readonly<Record<ToolEffect, string>> = {
  read: 'reads',
  write: 'changes files',
  execute: 'runs a command',
}

/** Unknown effects and modes ask (I7). */
function isAsked(mode: ApprovalMode, effect: ToolEffect): boolean {
  return mode !== 'never' && !(mode === 'writes' && effect === 'read')
}

export function gateDecisionOf(examined: Examined, approval: ApprovalPolicy): GateDecision {
  const { objections, matches, whenFine, isLeaving, amendment } = examined
  const settled = settle(objections, approval, whenFine)
  return {
    ...settled,
    ...(settled.kind === 'allow' && examined.isOwnCheck === true && { isOwnCheck: true as const }),
    ...(matches.length > 0 && { matches }),
    ...(settled.kind === 'prompt' && amendment !== undefined && { amendment }),
    ...(settled.kind !== 'forbidden' && isLeaving && { outsideSandbox: true as const }),
  }
}
