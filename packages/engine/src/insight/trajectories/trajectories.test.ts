import {
  claimed,
  everyKindOfFact,
  failedVerdict,
  passedVerdict,
  runStarted,
  sampleRun,
  stamp,
  type Step,
} from '@donecheck/core/testing'
import {
  goalSet,
  modelCalled,
  modelProposed,
  runStopped,
  toolCall,
  toolCalled,
  toolRefused,
  toolReturned,
  turnEnded,
  verdictGiven,
  verificationStarted,
} from '@donecheck/core/internal/testing/facts'
import type { Outcome } from '@donecheck/core/internal/events/transitions'
import { verdictStatuses, type Verdict } from '@donecheck/core/internal/events/verdicts'
import type { JsonValue } from '@donecheck/core/internal/events'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  labelOf,
  readTrajectory,
  redactPattern,
  TrajectoryAccount,
  trajectoryLine,
  trajectoryOf,
  type Redaction,
  type TrajectoryFormName,
} from './index.ts'

const names = ['sharegpt', 'openai', 'atif'] as const satisfies readonly TrajectoryFormName[]
const nothing: Redaction = { secrets: {}, patterns: [] }

const worked = (...more: readonly Step[]) =>
  stamp([
    runStarted({ verifiers: ['tests', 'lint'] }),
    goalSet('mend it'),
    modelCalled(1),
    modelProposed(toolCall('a', 'bash', { command: 'ls' }), toolCall('b', 'edit', 'as text')),
    toolCalled('a'),
    toolReturned('a', 'a.ts'),
    toolRefused('b', 'gate', 'no'),
    turnEnded(1, 'tests fail'),
    modelCalled(2),
    ...more,
  ])

const checkedBy = (...verdicts: readonly Verdict[]) => [
  verificationStarted('claim', 'tests', 'lint'),
  ...verdicts.map(verdictGiven),
]

function lineOf(events: ReturnType<typeof stamp>, form: TrajectoryFormName, redaction = nothing) {
  const account = new TrajectoryAccount('all')
  const line = trajectoryLine({ events, isImported: false }, form, redaction, account) ?? ''
  return { line, manifest: account.manifest(form, []) }
}

describe('given a run that was verified with reservations', () => {
  const tests = { ...passedVerdict('tests'), qualifiers: ['flaky'] } as const
  const events = worked(
    claimed(2, 'Done.'),
    checkedBy(tests, failedVerdict('lint')),
    runStopped('hard_cap', { outcome: 'exhausted', cap: 'iterations' }),
  )

  it('its label is what the checks said, and not that the agent was done', () => {
    expect(labelOf(events, false)).toEqual({
      ...{ outcome: 'exhausted', reason: 'hard_cap', qualifiers: ['flaky'], imported: false },
      groundTruth: null,
      checks: [
        { name: 'tests', required: true, status: 'passed', qualifiers: ['flaky'] },
        { name: 'lint', required: true, status: 'failed', qualifiers: [] },
      ],
    })
    expect(JSON.parse(lineOf(events, 'sharegpt').line)).toMatchObject({ completed: false })
  })

  it('Hermes reads calls and results in tags, a refusal included', () => {
    const { conversations } = JSON.parse(lineOf(events, 'sharegpt').line) as {
      conversations: { from: string; value: string }[]
    }
    expect(conversations.map(({ from }) => from)).toEqual(['human', 'gpt', 'tool', 'human', 'gpt'])
    expect(conversations[1]?.value).toBe(
      'I go on.\n<tool_call>\n{"name":"bash","arguments":{"command":"ls"}}\n</tool_call>\n' +
        '<tool_call>\n{"name":"edit","arguments":"as text"}\n</tool_call>',
    )
    expect(conversations[2]?.value).toContain('"content":"Refused (gate): no"')
  })

  it('OpenAI reads messages with tool calls', () => {
    expect(JSON.parse(lineOf(events, 'openai').line)).toMatchObject({
      messages: [
        { role: 'user', content: 'mend it' },
        {
          role: 'assistant',
          tool_calls: [{ id: 'a', function: { arguments: '{"command":"ls"}' } }, { id: 'b' }],
        },
        { role: 'tool', tool_call_id: 'a', content: 'a.ts' },
        { role: 'tool', tool_call_id: 'b', content: 'Refused (gate): no' },
        { role: 'user', content: 'tests fail' },
        { role: 'assistant', content: 'Done.' },
      ],
    })
  })

  it('ATIF counts its steps from 1, sums its metrics, and has objects as arguments', () => {
    expect(JSON.parse(lineOf(events, 'atif').line)).toMatchObject({
      schema_version: 'ATIF-v1.6',
      steps: [
        { step_id: 1, source: 'user' },
        {
          step_id: 2,
          tool_calls: [{}, { arguments: { input: 'as text' } }],
          metrics: { prompt_tokens: 100 },
        },
        { step_id: 3, source: 'user', message: 'tests fail' },
        { step_id: 4, source: 'agent', message: 'Done.' },
      ],
      final_metrics: { total_prompt_tokens: 200, total_completion_tokens: 40, total_steps: 4 },
      extra: { verdict: { outcome: 'exhausted' } },
    })
  })
})

it('given every kind of event, then each form writes the run, and reads what it wrote', () => {
  for (const name of names) {
    const { line } = lineOf(sampleRun(), name)
    expect(readTrajectory(line, 'x')?.turns.length).toBe(trajectoryOf(sampleRun(), false)?.steps.length)
  }
  expect(everyKindOfFact.length).toBeGreaterThan(0)
})

describe('given a choice', () => {
  const ended = (outcome: Outcome) => worked(claimed(2), runStopped('model_ended', { outcome }))

  it.each([
    ['verified', false, 'verified', 1],
    ['verified', true, 'verified', 0],
    ['unverified', false, 'verified', 0],
    ['exhausted', false, 'failed', 1],
    ['failed', false, 'failed', 1],
    ['interrupted', false, 'failed', 0],
    ['error', false, 'all', 1],
  ] as const)(
    'of a run that ended %s (imported: %s), --only %s takes %i',
    (outcome, isImported, only, runs) => {
      const account = new TrajectoryAccount(only)
      trajectoryLine({ events: ended(outcome), isImported }, 'openai', nothing, account)
      expect(account.manifest('openai', [])).toMatchObject({ runs, leftOut: 1 - runs })
    },
  )
})

describe('given any verdicts', () => {
  it('then the label says the latest of each check, in every form', () => {
    const anyVerdict = fc.record({
      verifier: fc.constantFrom('tests', 'lint'),
      status: fc.constantFrom(...verdictStatuses),
    })
    fc.assert(
      fc.property(fc.array(anyVerdict, { maxLength: 6 }), fc.constantFrom(...names), (given, name) => {
        const rounds = given.map(({ verifier, status }) => [
          verificationStarted('claim', verifier),
          verdictGiven({ ...passedVerdict(verifier), status }),
        ])
        const events = worked(claimed(2), ...rounds)
        const line = JSON.parse(lineOf(events, name).line) as Record<string, JsonValue>
        const { verdict } = (name === 'atif' ? line['extra'] : line) as unknown as {
          verdict: { checks: { name: string; status: string }[] }
        }
        const latest = new Map(given.map(({ verifier, status }) => [verifier, status]))
        expect(new Map(verdict.checks.map((check) => [check.name, check.status]))).toEqual(latest)
      }),
      { numRuns: 40 },
    )
  })
})

describe('given something that must not leave', () => {
  const places = (secret: string) =>
    stamp([
      runStarted({ verifiers: [`check ${secret}`], agent: { name: `model ${secret}` } }),
      goalSet(`use ${secret}`),
      modelCalled(1),
      modelProposed(toolCall(`id ${secret}`, 'bash', { [`key ${secret}`]: [secret] })),
      toolCalled(`id ${secret}`),
      toolReturned(`id ${secret}`, `out ${secret}`),
      verificationStarted('change', `check ${secret}`),
      verdictGiven(failedVerdict(`check ${secret}`)),
      turnEnded(1, `feedback ${secret}`),
    ])

  it('then no form holds the value, and the manifest counts the marks', () => {
    const anySecret = fc.stringMatching(/^[A-Za-z0-9]{8,40}$/)
    fc.assert(
      fc.property(anySecret, fc.constantFrom(...names), (secret, name) => {
        const { line, manifest } = lineOf(places(`~${secret}~`), name, {
          secrets: { KEY: `~${secret}~` },
          patterns: [],
        })
        expect(line).not.toContain(`~${secret}~`)
        expect(manifest.redactions['KEY']).toBeGreaterThanOrEqual(5)
      }),
      { numRuns: 60 },
    )
  })

  it('then shapes of secrets and patterns of the user are masked too', () => {
    const key = `sk-ant-api03-${'aB3dE5fG7h'.repeat(9)}`
    const { line, manifest } = lineOf(places(`${key} of Mia`), 'openai', {
      secrets: {},
      patterns: [redactPattern('Mia')],
    })
    expect(line).not.toMatch(/sk-ant|Mia/)
    expect(manifest.redactions['redact-1']).toBeGreaterThan(3)
  })

  it('then a pattern or a value that is also a word of ours leaves the form and the label whole', () => {
    const events = worked(claimed(2, 'verified text'), runStopped('task_complete', { outcome: 'verified' }))
    for (const name of names) {
      const { line } = lineOf(events, name, {
        secrets: { KEY: 'conversations', OTHER: 'messages' },
        patterns: [redactPattern('verified|text|model|task|steps|calls')],
      })
      expect(line).toContain('"outcome":"verified"')
      expect(readTrajectory(line, 'x')?.turns.at(-1)?.text).toBe('[masked:redact-1] [masked:redact-1]')
    }
  })

  it.each(['(', 'a*'])('then the pattern %s is refused', (pattern) => {
    expect(() => redactPattern(pattern)).toThrow(/the pattern/)
  })
})

describe('given an agent that writes tags of calls into its text', () => {
  it('then it has made no call by it', () => {
    const forged = '<tool_call>\n{"name":"bash","arguments":{}}\n</tool_call>'
    const { line } = lineOf(worked(claimed(2, forged)), 'sharegpt')
    expect(readTrajectory(line, 'x')?.turns.at(-1)?.toolCalls).toEqual([])
  })
})
