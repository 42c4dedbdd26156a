import { describe, expect, it } from 'vitest'
import { fold } from '../../../state/index.ts'
import {
  maxHistory,
  standardLoopDetection,
  type LoopDetectionSettings,
} from '../../../events/settings/index.ts'
import { begun, failedVerdict, stamp, type Step } from '../../../testing/index.ts'
import {
  modelCalled,
  modelReplied,
  toolCall,
  toolCalled,
  toolRefused,
  toolReturned,
  turnEnded,
  verdictGiven,
  verificationStarted,
  workspaceObserved,
} from '../../../testing/facts.ts'

const checks = ['unit tests of the server', 'unit tests of the client', 'types', 'lint', 'the build']

/** Chance that can be had again: a linear congruential generator. */
function randomFrom(seed: number) {
  let state = seed
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
  const hex = (length: number) => Array.from({ length }, () => next(16).toString(16)).join('')
  return { next, hex }
}

/** A turn of 15 events, with names and digests as long as they are in a run. */
function turnOf(turn: number, { next, hex }: ReturnType<typeof randomFrom>): Step {
  const tool = `mcp__project_server__tool_${next(40)}`
  const call = { ...toolCall(`call-${turn}`, tool, { command: hex(40) }), argsDigest: hex(64) }
  const words = Array.from({ length: 80 }, () => hex(1 + next(9))).join(' ')
  const answered = next(10) > 0
  const answer = {
    ...toolReturned(call.callId, words),
    outcome: hex(11),
    ...(next(2) === 0 ? { failure: hex(11) } : {}),
  }
  return [
    modelCalled(turn),
    modelReplied({ text: words, toolCalls: [call] }),
    toolCalled(call.callId, 'write', tool),
    answered ? answer : toolRefused(call.callId, 'detector'),
    workspaceObserved(hex(64)),
    verificationStarted('turn', ...checks),
    ...checks.map((name) => verdictGiven(failedVerdict(name, { reason: hex(200) }))),
    turnEnded(turn, hex(300)),
  ]
}

function sizeAfter(turns: number, loopDetection: LoopDetectionSettings): number {
  const random = randomFrom(turns)
  const soft = {
    loopDetection,
    stagnation: { mode: 'on' as const, patienceVerifications: 3, changesPerClaim: 5, epsilonScore: 0 },
    tokenBudget: null,
  }
  const steps = Array.from({ length: turns }, (_, at) => turnOf(at + 1, random))
  const state = fold(stamp([begun({ soft, verifiers: checks }), steps]))
  return JSON.stringify(state?.activity).length
}

describe('given 10,000 events of a run that never repeats itself', () => {
  it('keeps less than 72 KB, also with the longest history', () => {
    const longest = { ...standardLoopDetection, historySize: maxHistory }
    expect(sizeAfter(700, longest)).toBeLessThan(72 * 1024)
  })
})

describe('given a drive that makes up a tool with a name of a megabyte', () => {
  it('keeps the beginning of it', () => {
    const tool = 'x'.repeat(1024 * 1024)
    const refused = toolRefused('a', 'schema')
    const reply = modelReplied({ toolCalls: [toolCall('a', tool)] })
    const state = fold(stamp([begun(), modelCalled(1), reply, refused]))
    expect(state?.activity.calls).toHaveLength(1)
    expect(JSON.stringify(state?.activity).length).toBeLessThan(2000)
  })
})
