/** Occasions that never were, for the self-test. */
import type { HookPoint, ToolEffect, Transition, Verdict } from '../events/index.ts'
import type { HookedCall, HookInputs, Occasion } from '../ports.ts'

/** Names that exist in the loop. */
export interface MadeUpNames {
  readonly tools: readonly { readonly name: string; readonly effect: ToolEffect }[]
  readonly verifiers: readonly string[]
}

type MadeUp = { readonly [Point in HookPoint]: (names: MadeUpNames) => readonly HookInputs[Point][] }

const noHistory = () => []

function occasion(): Occasion {
  const { signal } = new AbortController()
  return { runId: 'self-test', turn: 1, signal, history: noHistory, selfTest: true }
}

function calls({ tools }: MadeUpNames): readonly HookedCall[] {
  return tools.map(({ name, effect }) => ({
    ...occasion(),
    callId: 'self-test',
    tool: name,
    effect,
    args: {},
  }))
}

const transition: Transition = { kind: 'continue', reason: 'tool_calls', findings: [], verdicts: [] }

function passed(verifier: string): Verdict {
  const reason = 'self-test'
  return { verifier, status: 'passed', reason, canRetry: true, qualifiers: [], evidence: [], durationMs: 0 }
}

/** One for every name that the point is about. */
export const madeUpInputs: MadeUp = {
  run_started: () => [{ ...occasion(), task: 'self-test', workFolder: null }],
  before_turn: () => [occasion()],
  before_tool_call: calls,
  after_tool_call: (names) => calls(names).map((call) => ({ ...call, status: 'ok', output: '' })),
  tool_result_persist: (names) => calls(names).map((call) => ({ ...call, output: '' })),
  after_turn: () => [{ ...occasion(), text: '', transition }],
  before_verification: ({ verifiers }) => [{ ...occasion(), trigger: 'claim', verifiers }],
  after_verification: ({ verifiers }) =>
    verifiers.map((verifier) => ({ ...occasion(), verdict: passed(verifier) })),
  before_finalize: ({ verifiers }) => [{ ...occasion(), answer: '', verdicts: verifiers.map(passed) }],
  on_transition: () => [{ ...occasion(), transition }],
  on_error: () => [{ ...occasion(), where: 'self-test', message: 'self-test' }],
  run_ended: () => [{ ...occasion(), transition }],
}
