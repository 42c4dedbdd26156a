import { describe, expect, it } from 'vitest'
import { begun, claimed, edited, given, type Given, type Step } from '../../testing/index.ts'
import {
  modelCalled,
  modelProposed,
  toolCall,
  toolCalled,
  toolReturned,
  turnEnded,
  workspaceObserved,
} from '../../testing/facts.ts'
import { maxBlockedClaims } from './answer-claim.ts'

function ran(turn: number, command: string, output = '', tool = 'run_shell'): Step {
  const callId = `run-${turn}`
  return [
    modelCalled(turn),
    modelProposed(toolCall(callId, tool, { command })),
    toolCalled(callId, tool === 'run_shell' ? 'execute' : 'read', tool),
    { ...toolReturned(callId), output },
    workspaceObserved('tree-0'),
    turnEnded(turn),
  ]
}

const end = { kind: 'stop', transition: { reason: 'model_ended', outcome: 'unverified' } } as const
const noted = (message: string) =>
  ({ kind: 'note', finding: { rule: 'claim_contradicted', message } }) as const

/** What the notes of this claim say, and what comes of them. */
function answered(before: Given): readonly string[] {
  let now = before
  const told: string[] = []
  for (;;) {
    const { decision } = now.whenDecided()
    if (decision.kind === 'note') {
      told.push(decision.finding.message)
      now = now.and({ type: 'finding-noted', finding: decision.finding })
    } else return [...told, decision.kind]
  }
}

describe('given a claim that something was changed', () => {
  const looked = [begun(), ran(1, 'cat a.ts')]

  it('and nothing was, then it is sent back once, and may end with the next', () => {
    const first = given(...looked, claimed(2, 'I have fixed the parser.'))
    first
      .whenDecided()
      .then(
        noted(
          'the answer says that it changed something, but nothing in the work folder is another than before',
        ),
      )
    const told = first.afterNotes()
    told.whenDecided().then({
      kind: 'continue',
      transition: { reason: 'verifier_feedback', findings: ['claim_contradicted'] },
      feedback:
        'You say that you changed something, but nothing in the work folder is another than before. Make the change, or say plainly that nothing was changed.',
    })
    told
      .and(turnEnded(2, 'verifier_feedback'), claimed(3, 'I have fixed the parser.'))
      .whenDecided()
      .then(end)
  })

  it.each<[string, readonly Step[]]>([
    ['the tree is another one', [begun(), edited(1, 'tree-1'), turnEnded(1)]],
    ['a command was run that may have changed what no tree shows', [begun(), ran(1, 'make deploy')]],
    ['nobody knows what was done', [begun()]],
    ['it has no folder, and nothing to change with', [begun({ workFolder: null })]],
  ])('and %s, then it ends the run', (_, before) => {
    const made = given(...before, claimed(2, 'I have fixed the parser.'))
    expect(answered(made.and({ type: 'claim-examined', problems: [] }))).toEqual(['stop'])
  })

  it('and it names a file, then what else was run is no excuse', () => {
    const made = given(begun(), ran(1, 'make deploy'), claimed(2, 'I updated `src/a.ts`.'))
    made.whenDecided().then({ kind: 'examine-claim', claimed: ['src/a.ts'] })
    expect(answered(made.and({ type: 'claim-examined', problems: [] }))).toEqual([
      expect.stringContaining('nothing in the work folder'),
      'continue',
    ])
  })

  it('and every tool only looks, then it is sent back without a folder as well', () => {
    const asked = given(
      begun({ workFolder: null }),
      ran(1, 'R1', '', 'get_reservation'),
      claimed(2, 'Your flight has been cancelled.'),
    )
    expect(answered(asked)).toEqual([
      expect.stringContaining('every call that was made only looks'),
      'continue',
    ])
  })
})

describe('given what the work folder shows', () => {
  const broken = { kind: 'does-not-parse', path: 'a.ts', detail: 'Unexpected token (3:1)' } as const
  const missing = { kind: 'not-there', path: 'b.md', detail: 'there is no such file' } as const
  const changed = given(begun(), edited(1, 'tree-1'), turnEnded(1), claimed(2, 'Done. I created `b.md`.'))

  it('then it is looked at once for each claim', () => {
    changed.whenDecided().then({ kind: 'examine-claim', sources: ['a.ts'], claimed: ['b.md'] })
    changed.and({ type: 'claim-examined', problems: [] }).whenDecided().then(end)
    const again = changed.and({ type: 'claim-examined', problems: [] }, turnEnded(2), claimed(3, 'Done.'))
    again.whenDecided().then({ kind: 'examine-claim', sources: ['a.ts'], claimed: [] })
  })

  it('then all that contradicts is told together', () => {
    const found = changed.and({ type: 'claim-examined', problems: [broken, missing] })
    expect(answered(found)).toEqual([
      'a.ts was changed and cannot be parsed: Unexpected token (3:1)',
      'the answer names b.md as written, but there is no such file',
      'continue',
    ])
  })

  it(`then a run is sent back ${maxBlockedClaims} times and no more, whatever is found`, () => {
    let now = changed
    const ends: string[] = []
    for (let turn = 2; turn < 9; turn += 1) {
      const problems = [{ ...missing, path: `file-${turn}.md` }]
      const examined =
        now.whenDecided().decision.kind === 'examine-claim'
          ? now.and({ type: 'claim-examined', problems })
          : now
      const told = examined.afterNotes()
      ends.push(told.whenDecided().decision.kind)
      now = told.and(turnEnded(turn, 'verifier_feedback'), claimed(turn + 1, 'Done. I created `b.md`.'))
    }
    expect(ends).toEqual(['continue', 'continue', 'continue', 'stop', 'stop', 'stop', 'stop'])
  })
})

describe('given tests', () => {
  const failing = 'FAILED tests/test_a.py::test_rounding_up - no\n=== 1 failed in 0.1s ==='
  const runs = (count: number) => Array.from({ length: count }, (_, at) => ran(at + 1, 'pytest', failing))
  const afterRuns = (count: number, text: string) => answered(given(begun(), runs(count), claimed(9, text)))

  it('one that is named and failed three times over is told', () => {
    const said = 'Done: test_rounding_up passes.'
    expect(afterRuns(2, said)).toEqual(['stop'])
    expect(afterRuns(3, said)).toEqual([
      expect.stringContaining('has failed in each of its last 3 runs'),
      'continue',
    ])
  })

  it('one that nobody names, or of which the answer says that it fails, is not', () => {
    expect(afterRuns(3, 'Done.')).toEqual(['stop'])
    expect(afterRuns(3, 'Done. test_rounding_up still fails.')).toEqual(['stop'])
  })

  it('that had not ended when they were last looked at are told', () => {
    const started = ran(1, 'npm test', 'Command running in background with ID: bash_7')
    expect(answered(given(begun(), started, claimed(2)))).toEqual([
      'tests that were started (bash_7) had not ended when they were last looked at',
      'continue',
    ])
  })
})
