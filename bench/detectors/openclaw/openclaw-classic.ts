/**
 * The loop detection of OpenClaw as it is widely described, releases 2026.2.17 to 2026.4.12: four detectors, configurable limits,
 * no scope by run. What may surprise is theirs: `global_circuit_breaker` is the streak of one call and no switch turns it off, the
 * streaks leave the current call out while the alternation counts it in, and a repeated call alone only ever warns.
 */
import { asDetector } from './as-detector.ts'
import { isKnownPoll } from './hashes/call-kinds.ts'
import { classicStableJson } from './hashes/classic-stable-json.ts'
import { classicOutcome } from './hashes/outcome-classic.ts'
import { sha256 } from './hashes/sha256.ts'
import { append, callsOf, emptyState, recordOf, settle, type Target } from './history.ts'
import { limitsOf, type Limits, type LoopConfig } from './limits.ts'
import { notStuck, type LoopRecord, type ToolUse, type Verdict } from './records.ts'
import type { LoopSession } from './session.ts'
import { classicNoProgress } from './streaks/no-progress.ts'
import { pingPong } from './streaks/ping-pong.ts'
import { noProgressVerdict, pingPongVerdict, repeatVerdict } from './verdicts.ts'

/** A detector for the comparison, switched on with the numbers it had. */
export const openClawClassic = asDetector('openclaw-classic', {
  begin: () => classicSession({ enabled: true }),
  generation: 'classic',
})

export function classicSession(config: LoopConfig): LoopSession {
  const limits = limitsOf(config)
  const state = emptyState()
  return {
    detect(use) {
      return limits.enabled ? verdictOf(state.history, use, limits) : notStuck
    },
    recordCall(use, ids = {}) {
      append(state, recordOf(use, argsHashOf(use), { toolCallId: ids.toolCallId }), limits.historySize)
    },
    recordOutcome(use, ending, ids = {}) {
      const outcome = classicOutcome(use, ending)
      if (outcome === undefined) return
      const record = recordOf(use, argsHashOf(use), { toolCallId: ids.toolCallId })
      settle(state, record, outcome, limits.historySize)
    },
    size: () => state.history.length,
  }
}

function argsHashOf({ toolName, params }: ToolUse): string {
  return `${toolName}:${sha256(classicStableJson(params))}`
}

/** The first that holds. */
function verdictOf(history: readonly LoopRecord[], use: ToolUse, limits: Limits): Verdict {
  const { warning, critical, breaker, detects } = limits
  const target: Target = { toolName: use.toolName, argsHash: argsHashOf(use) }
  const streak = classicNoProgress(history, target.toolName, target.argsHash)
  if (streak.count >= breaker) return noProgressVerdict('critical', 'global_circuit_breaker', target, streak)
  const isPoll = isKnownPoll(use)
  if (isPoll && detects.poll && streak.count >= warning) {
    const level = streak.count >= critical ? 'critical' : 'warning'
    return noProgressVerdict(level, 'known_poll_no_progress', target, streak)
  }
  const alternation = pingPong(history, target.argsHash)
  if (detects.pingPong && alternation.count >= warning) {
    const level = alternation.count >= critical && alternation.hasEvidence ? 'critical' : 'warning'
    return pingPongVerdict(level, target, alternation)
  }
  const calls = isPoll || !detects.genericRepeat ? 0 : callsOf(history, target)
  return calls >= warning ? repeatVerdict(target, calls) : notStuck
}
