/**
 * The loop detection of OpenClaw 2026.9.6: six kinds, fixed limits, calls of one run only. `exec`, `write` and messages have result
 * hashes of their own, and its own vetoes count. What a docked channel's tool sends is asked of the loaded channels there; here of
 * `isDockedSend`, which says no unless given.
 */
import { asDetector } from './as-detector.ts'
import { isKnownPoll } from './hashes/call-kinds.ts'
import { outcomeOf2026 } from './hashes/outcome-2026-9.ts'
import { sha256 } from './hashes/sha256.ts'
import { stableJson } from './hashes/stable-json.ts'
import { append, callsOf, emptyState, ofRun, recordOf, settle, type Target } from './history.ts'
import { notStuck, type LoopRecord, type Stuck, type ToolUse, type Verdict } from './records.ts'
import type { LoopSession } from './session.ts'
import { argumentChurn } from './streaks/argument-churn.ts'
import { noProgress2026 } from './streaks/no-progress.ts'
import { pingPong } from './streaks/ping-pong.ts'
import { unknownTool } from './streaks/unknown-tool.ts'
import { noProgressVerdict, pingPongVerdict, repeatVerdict } from './verdicts.ts'

const historySize = 30
const warning = 10
const critical = 20
const breaker = 30

/** A detector for the comparison, switched on. The first block is refused, a second in a later turn of the run ends it. */
export const openClaw2026 = asDetector('openclaw-2026.9', {
  begin: () => session2026({ enabled: true }),
})

export interface Options2026 {
  readonly enabled?: boolean
  readonly isDockedSend?: (use: ToolUse) => boolean
}

export function session2026({ enabled = false, isDockedSend = () => false }: Options2026): LoopSession {
  const state = emptyState()
  return {
    detect(use, ids = {}) {
      return enabled ? verdictOf(ofRun(state, ids.runId), use) : notStuck
    },
    recordCall(use, ids = {}) {
      append(state, recordOf(use, argsHash2026(use), ids), historySize)
    },
    recordOutcome(use, ending, ids = {}) {
      const outcome = outcomeOf2026(use, ending, isDockedSend)
      if (outcome !== undefined) settle(state, recordOf(use, argsHash2026(use), ids), outcome, historySize)
    },
    size: () => state.history.length,
  }
}

export function argsHash2026({ toolName, params }: ToolUse): string {
  return `${toolName}:${sha256(stableJson(params))}`
}

/** The first that holds. */
function verdictOf(history: readonly LoopRecord[], use: ToolUse): Verdict {
  const { toolName } = use
  const target: Target = { toolName, argsHash: argsHash2026(use) }
  const unknown = unknownTool(history, toolName)
  if (unknown.count >= warning) return unknownToolVerdict(toolName, unknown.name ?? 'unknown', unknown.count)
  const streak = noProgress2026(history, toolName, target.argsHash)
  if (streak.count >= breaker) return noProgressVerdict('critical', 'global_circuit_breaker', target, streak)
  const churn = argumentChurn(history, toolName, target.argsHash)
  const isPoll = isKnownPoll(use)
  if (isPoll && streak.count >= warning) {
    const level = streak.count >= critical ? 'critical' : 'warning'
    return withLiveness(noProgressVerdict(level, 'known_poll_no_progress', target, streak), churn)
  }
  const alternation = pingPong(history, target.argsHash)
  if (alternation.count >= warning) {
    const level = alternation.count >= critical && alternation.hasEvidence ? 'critical' : 'warning'
    return withLiveness(pingPongVerdict(level, target, alternation), churn)
  }
  if (!isPoll && streak.count >= critical)
    return noProgressVerdict('critical', 'generic_repeat', target, streak)
  if (churn >= warning) return churnVerdict(toolName, churn)
  const calls = isPoll ? 0 : callsOf(history, target)
  return calls >= warning ? repeatVerdict(target, calls) : notStuck
}

function unknownToolVerdict(toolName: string, name: string, count: number): Stuck {
  const warningKey = `unknown-tool:${toolName}:${name}`
  return { stuck: true, level: 'critical', detector: 'unknown_tool_repeat', count, warningKey }
}

function churnVerdict(toolName: string, count: number): Stuck {
  const warningKey = `argument-churn:${toolName}`
  const verdict = { stuck: true, level: 'warning', detector: 'argument_churn', count, warningKey } as const
  return withLiveness(verdict, count)
}

/** Warnings say when arguments are churned besides. */
function withLiveness(verdict: Stuck, churn: number): Stuck {
  return verdict.level === 'warning' && churn >= warning
    ? { ...verdict, livenessSignal: 'argument_churn' }
    : verdict
}
