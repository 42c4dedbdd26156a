/** Occasions that never were, for the self-test. */
import type { HookPoint } from '@donecheck/core/gate'
import type { ToolEffect } from '@donecheck/core/events'
import type { Transition } from '@donecheck/core/transitions'
import type { Verdict } from '@donecheck/core/verdicts'
import type { HookedCall, HookInputs, Occasion } from '../../../ports/callbacks.ts'

/** Names that exist in the loop. */
export interface SampleNames {
  readonly tools: readonly { readonly name: string; readonly effect: ToolEffect }[]
  readonly verifiers: readonly string[]
}

type SamplePayload = { readonly [Point in HookPoint]: (names: SampleNames) => readonly HookInputs[Point][] }

const noHistory = () => []

function occasion(): Occasion {
  const { signal } = new AbortController()
  return { runId: 'self-test', turn: 1, signal, history: noHistory, selfTest: true }
}

function calls({ tools }: SampleNames): readonly HookedCall[] {
  return tools.map(({ name, effect }) => ({
    ...occasion(),
    callId: 'self-test',
    tool: name,
    effect,
    args: {},
  }))
}

const transition: Transition = { kind: 'continue', reason: 'tool_calls', findings: [], verdicts: [] }

function passedSample(verifier: string): Verdict {
  const reason = 'self-test'
  return { verifier, status: 'passed', reason, canRetry: true, qualifiers: [], evidence: [], durationMs: 0 }
}

/** One for every name that the point is about. */
export const sampleInputs: SamplePayload = {
  run_started: () => [{ ...occasion(), task: 'self-test', workFolder: null }],
  before_turn: () => [occasion()],
  before_tool_call: calls,
  after_tool_call: (names) => calls(names).map((call) => ({ ...call, status: 'ok', output: '' })),
  tool_result_persist: (names) => calls(names).map((call) => ({ ...call, output: '' })),
  after_turn: () => [{ ...occasion(), text: '', transition }],
  before_verification: ({ verifiers }) => [{ ...occasion(), trigger: 'claim', verifiers }],
  after_verification: ({ verifiers }) =>
    verifiers.map((verifier) => ({ ...occasion(), verdict: passedSample(verifier) })),
  before_finalize: ({ verifiers }) => [{ ...occasion(), answer: '', verdicts: verifiers.map(passedSample) }],
  on_transition: () => [{ ...occasion(), transition }],
  on_error: () => [{ ...occasion(), where: 'self-test', message: 'self-test' }],
  run_ended: () => [{ ...occasion(), transition }],
}
