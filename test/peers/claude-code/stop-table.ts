/**
 * What a Stop hook, a judge and a schema are worth in Claude Code, as it was recorded once with 2.1.197 and 2.1.329 and holds
 * for 2.1.330. Where the release of today differs, `formerly` says what was recorded.
 */
import { blocks, T, X, type Row, type Seen } from './stop-rows.ts'
import { shellCall, type ModelRequest, type Step } from '../kit/index.ts'

const done = 'Done: everything works.'
const success = { exitCode: 0, subtype: 'success', terminal: 'completed', isError: false } as const
const ended = (modelCalls: number, stops: number, numTurns: number, rest: Partial<Seen> = {}): Seen => ({
  ...{ modelCalls, stops, numTurns, ...success, result: done },
  ...rest,
})
const command = (body: string, rest: { timeoutSeconds?: number; inProject?: true } = {}) =>
  ({ kind: 'command', body, ...rest }) as const
const other = (settings: Readonly<Record<string, unknown>>) => ({ kind: 'other', settings }) as const
const text = (value: unknown): Step => ({ text: typeof value === 'string' ? value : JSON.stringify(value) })

const always = { steps: [T] }
const openAfter = (blocked: number, act: string) => `[ $n -le ${blocked} ] && { ${act}; }; exit 0`
const addsContext = `echo '{"hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"look again"}}'`

const blocked: readonly Row[] = [
  {
    title: 'exit code 2 twice: blocked twice',
    script: { steps: [X, X, T, T, T] },
    hook: command(openAfter(2, 'echo red >&2; exit 2')),
    sees: ended(5, 3, 5),
  },
  {
    title: 'a block in JSON twice: blocked twice',
    script: always,
    hook: command(openAfter(2, blocks)),
    sees: ended(3, 3, 3),
  },
  {
    title: 'additional context twice: goes on twice, and counts as one turn',
    script: always,
    hook: command(openAfter(2, addsContext)),
    sees: ended(3, 3, 1),
  },
  {
    title: 'continue: false ends it as a success',
    script: always,
    hook: command(`echo '{"continue":false,"stopReason":"enough"}'`),
    sees: ended(1, 1, 1, { terminal: 'stop_hook_prevented' }),
  },
]

/** A hook that does not work is a hook that allows the stop. */
const open: readonly Row[] = (
  [
    ['exits with 1', command('echo broken >&2; exit 1')],
    ['is missing (127)', other({ type: 'command', command: '/nowhere/gate.sh' })],
    ['prints broken JSON', command(`echo '{"decision":'`)],
    ['is stopped by its time limit', command(`sleep 30; ${blocks}`, { timeoutSeconds: 1 })],
    [
      'blocks by exit code 2 with "No such file" in its words',
      command('echo "cat: dist: No such file or directory" >&2; exit 2'),
    ],
  ] as const
).map(([what, hook]) => ({
  title: `a hook that ${what} fails open: success`,
  script: always,
  hook,
  sees: ended(1, 1, 1),
}))

const capped: readonly Row[] = [
  {
    title: 'always blocked: overridden at the ninth in a row, and a success without a word',
    script: always,
    hook: command(blocks),
    sees: ended(9, 9, 10, { result: '' }),
  },
  {
    title: 'blocked 10 times with a cap of 20: not overridden',
    script: always,
    hook: command(openAfter(10, blocks)),
    environment: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '20' },
    sees: ended(11, 11, 11),
  },
  {
    title: 'blocked 10 times with a call of a tool between: any call resets the count',
    script: { steps: Array.from({ length: 11 }, () => [X, T]).flat() },
    hook: command(openAfter(10, blocks)),
    sees: ended(22, 11, 22),
  },
  {
    title: 'always blocked with --max-turns 3: an error at last',
    script: always,
    hook: command(blocks),
    words: ['--max-turns', '3'],
    sees: {
      ...{ modelCalls: 3, stops: 3, numTurns: 4, exitCode: 1 },
      ...{ subtype: 'error_max_turns', terminal: 'max_turns', isError: true },
    },
  },
  {
    // Formerly no terminal reason. The model that it takes by itself costs $0.005 for a call.
    title: 'always blocked without a cap, --max-budget-usd 0.058: an error at last',
    script: { ...always, usage: { inputTokens: 1000, outputTokens: 50 } },
    hook: command(blocks),
    words: ['--max-budget-usd', '0.058'],
    environment: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '0' },
    sees: {
      ...{ modelCalls: 12, stops: 11, numTurns: 12, exitCode: 1 },
      ...{ subtype: 'error_max_budget_usd', terminal: 'budget_exhausted', isError: true },
    },
  },
]

const goal = '/goal the tests pass'
const red = text({ ok: false, reason: 'insufficient evidence in transcript' })
const invented = 'Ran tests: 12 passed, 0 failed.'

const judged: readonly Row[] = [
  {
    title: '/goal that is never met: a success after nine judgements',
    script: { steps: [T], sideSteps: [red] },
    prompt: goal,
    sees: ended(9, 0, 10, { judgeCalls: 9, result: '' }),
  },
  {
    title: '/goal met on a line that was made up: the judge has no tools',
    script: { steps: [T, text(invented)], sideSteps: [red, text({ ok: true, reason: '12 passed' })] },
    prompt: goal,
    sees: ended(2, 0, 2, { judgeCalls: 2, result: invented }),
  },
  {
    title: '/goal with a judge that answers prose: a success',
    script: { steps: [T], sideSteps: [text('I cannot say.')] },
    prompt: goal,
    sees: ended(1, 0, 1, { judgeCalls: 1 }),
  },
  {
    title: '/goal with a judge that calls it impossible: a success',
    script: { steps: [T], sideSteps: [text({ ok: false, impossible: true, reason: 'it cannot be met' })] },
    prompt: goal,
    sees: ended(1, 0, 1, { judgeCalls: 1 }),
  },
  {
    title: 'a hook of an agent that looks once, and then says yes without a look',
    script: { steps: [verifierOrAgent()] },
    hook: other({ type: 'agent', prompt: 'the tests pass' }),
    // Two of the agent, three of the verifier.
    sees: ended(5, 0, 2),
  },
]

function structured(args: Readonly<Record<string, unknown>>): Step {
  return { tool: 'StructuredOutput', args }
}

/** The verifier alone is offered `StructuredOutput`. */
function verifierOrAgent(): (request: ModelRequest) => Step {
  const verifier = [
    X,
    structured({ ok: false, reason: 'red' }),
    structured({ ok: true, reason: 'fine' }),
  ].values()
  return ({ tools }) => (tools.includes('StructuredOutput') ? (verifier.next().value ?? T) : T)
}

const schema = JSON.stringify({
  type: 'object',
  properties: { ok: { type: 'boolean' } },
  required: ['ok'],
  additionalProperties: false,
})
const wanted = ['--json-schema', schema]
const wrong = structured({ ok: 'yes' })

const outwitted: readonly Row[] = [
  {
    title: 'an agent that rewrites the script of the hook: a success',
    script: {
      steps: [T, shellCall('claude', "printf '#!/bin/sh\\nexit 0\\n' > gate.sh"), T],
    },
    hook: command('echo red >&2; exit 2', { inProject: true }),
    sees: ended(3, 2, 3),
  },
  {
    title: '--json-schema: text, a wrong object, a right one',
    script: { steps: [T, wrong, structured({ ok: true })] },
    words: wanted,
    sees: ended(3, 0, 4, { structured: { ok: true }, result: '{"ok":true}' }),
  },
  {
    title: '--json-schema with text only: a success without an object',
    script: always,
    words: wanted,
    sees: ended(2, 0, 2),
  },
  {
    title: '--json-schema with a wrong object for ever: an error',
    script: { steps: [wrong] },
    words: wanted,
    sees: {
      ...{ modelCalls: 5, stops: 0, numTurns: 6, exitCode: 1, isError: true },
      ...{ subtype: 'error_max_structured_output_retries', terminal: 'structured_output_retry_exhausted' },
    },
  },
]

export const table: readonly Row[] = [...blocked, ...open, ...capped, ...judged, ...outwitted]
