import { describe, expect, it } from 'vitest'
import type { NewEvent, RunEvent } from '@donecheck/core/internal/events'
import { runStarted, stamp } from '@donecheck/core/testing'
import {
  approvalGiven,
  approvalRequested,
  goalSet,
  interruptRequested,
  modelCalled,
  modelClaimed,
  modelProposed,
  runStopped,
  toolCall,
  toolCalled,
  toolReturned,
} from '@donecheck/core/internal/testing/facts'
import { problemsOf, type LedgerLine, type Work } from './verdict.ts'
import type { PlannedRun } from './plan.ts'

const plan: PlannedRun = {
  runId: 'run-1',
  turns: [
    { number: 1, kind: 'does', takesMs: 1 },
    { number: 2, kind: 'asks', takesMs: 1 },
  ],
  ending: 'by itself',
  maxToolCalls: 3,
}
const proposed = (number: number) => modelProposed(toolCall(`call-${number}`, 'does', { number }))
const begun: NewEvent[] = [runStarted(), goalSet(), modelCalled(1), proposed(1)]
const first: NewEvent[] = [toolCalled('call-1'), toolReturned('call-1')]
const second: NewEvent[] = [
  modelCalled(2),
  proposed(2),
  approvalRequested('call-2'),
  approvalGiven('call-2'),
  toolCalled('call-2'),
  toolReturned('call-2'),
]
const over: NewEvent[] = [modelCalled(3), modelClaimed(), runStopped('model_ended')]
const right = [...begun, ...first, ...second, ...over]
const line = (number: number): LedgerLine => ({ runId: 'run-1', number, workerId: 'w' })
const ledger = [line(1), line(2)]

const whole = { kind: 'delivered', turns: [1, 2] } as const
const half = { kind: 'delivered', turns: [2] } as const

const found = (facts: readonly NewEvent[], lines = ledger, planned = plan, work: Work = whole) =>
  problemsOf(planned, stamp(facts, { runId: 'run-1' }), lines, work)
const without = (lost: number): RunEvent[] => stamp(right, { runId: 'run-1' }).filter((_, at) => at !== lost)

describe('the verdict over a run of the chaos', () => {
  it('has nothing to say of one that went as it was planned', () => {
    expect(found(right)).toEqual([])
  })

  it('takes a call whose worker died for told, whether it was done or not', () => {
    const told = [...begun, toolCalled('call-1'), toolReturned('call-1', '', 'unknown'), ...second, ...over]
    expect(found(told)).toEqual([])
    expect(found(told, [line(2)])).toEqual([])
  })

  it('takes a change for told that is gone with its machine, once the run hears how far its folder reaches', () => {
    const text = 'The machine that you worked on was lost. The work folder is again as it was at the start: …'
    const told: NewEvent[] = [
      ...begun,
      ...first,
      { type: 'agent-steered', goalId: 'goal-1', text },
      ...second,
      ...over,
    ]
    expect(found(told, ledger, plan, half)).toEqual([])
    const later = told.map((fact) =>
      fact.type === 'agent-steered' ? { ...fact, text: text.replace('at the start', 'after turn 1') } : fact,
    )
    expect(found(later, ledger, plan, half).join()).toContain('the change of turn 1 is lost')
  })

  it.each(
    Object.entries<readonly [() => readonly string[], string]>({
      'a change is lost': [
        () => found(right, ledger, plan, half),
        'the change of turn 1 is lost, and nobody was told',
      ],
      'a change came from nowhere': [
        () => found(right, ledger, plan, { kind: 'delivered', turns: [1, 2, 3] }),
        'the work has a change of turn 3, which was not announced',
      ],
      'nobody has handed the work on': [
        () => found(right, ledger, plan, { kind: 'missing', why: 'it is nowhere' }),
        'its work is missing: it is nowhere',
      ],
      'an event is lost': [() => problemsOf(plan, without(5), ledger, whole), 'event 6 has the sequence 7'],
      'an event is there twice': [
        () =>
          problemsOf(
            plan,
            [...stamp(right, { runId: 'run-1' }), ...stamp(over, { runId: 'run-1' })],
            ledger,
            whole,
          ),
        'an event is there twice',
      ],
      'it has not ended': [() => found([...begun, ...first]), 'its last event is tool-returned'],
      'it ended otherwise': [
        () => found([...begun, ...first, ...second, runStopped('error')]),
        'it ended with error',
      ],
      'it stopped twice': [
        () => found([...right.slice(0, -1), runStopped('error'), runStopped('model_ended')]),
        'it stopped more than once',
      ],
      'a call was left out': [
        () => found([...begun, ...first, ...over], [line(1)]),
        '1 calls, 2 were to be made',
      ],
      'its budget is exceeded': [
        () => found(right, ledger, { ...plan, maxToolCalls: 1 }),
        '2 calls, 1 are allowed',
      ],
      'a call was done twice': [() => found(right, [...ledger, line(1)]), 'call call-1 was done 2 times'],
      'a call that is ok was not done': [() => found(right, [line(2)]), 'call-1 is ok and was done 0 times'],
      'a call was announced twice': [
        () => found([...begun, toolCalled('call-1'), ...first, ...second, ...over]),
        'call call-1 was announced twice',
      ],
      'a call came back twice': [
        () => found([...begun, ...first, toolReturned('call-1'), ...second, ...over]),
        'came back 2 times',
      ],
      'something was done in secret': [
        () => found(right, [...ledger, line(3)]),
        'turn 3 was done and not announced',
      ],
      'nobody agreed': [
        () => found([...begun, ...first, ...second.filter(({ type }) => type !== 'approval-given'), ...over]),
        'call-2 was done without the answer of a person',
      ],
      'a person was asked twice': [
        () => found([...begun, ...first, approvalRequested('call-2'), ...second, ...over]),
        'a person was asked twice about call-2',
      ],
      'it went on after it was cancelled': [
        () => found([...begun, interruptRequested(), ...first, ...second, ...over]),
        'call call-1 began after the run was cancelled',
      ],
    }),
  )('finds that %s', (_fault, [problems, expected]) => {
    expect(problems().join('\n')).toContain(expected)
  })
})
