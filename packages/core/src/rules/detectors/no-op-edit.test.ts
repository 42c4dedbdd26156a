import { describe, expect, it } from 'vitest'
import { noOpEdit } from './no-op-edit.ts'
import {
  keyOf,
  levelsAfter,
  repeated,
  detectionAfter,
  softRun,
  reportedTurns,
  withTraits,
  type ReportedTurn,
} from './stories/reported-turns.test.ts'
import { given } from '../../testing/index.ts'
import { loopDetections, viewOf } from './loop-detections.ts'

const edit = { tool: 'write_file', effect: 'write' } as const
/** The tool itself says that nothing has changed. */
const idle: ReportedTurn = { calls: [{ ...edit, changed: false }], tree: 'tree-0' }
/** The tool says nothing; the tree does. */
const ineffective: ReportedTurn = { calls: [edit], tree: 'tree-0' }

describe.each([
  ['that say so', idle],
  ['that left the tree as it was', ineffective],
])('given edits that changed nothing: %s', (_, turn) => {
  it('the second is told, the fourth is refused, and none ends the run', () => {
    const turns = repeated(9, () => turn)
    const critical = repeated(6, () => 'critical')
    expect(levelsAfter(noOpEdit, turns)).toEqual([undefined, 'warning', 'warning', ...critical])
  })

  it('refused are these very edits, and nothing else', () => {
    const edits = ['a', 'b', 'a', 'c'].map((call) => ({
      ...turn,
      calls: [...(turn.calls ?? []).map((one) => ({ ...one, call })), { call: 'look' }],
    }))
    expect(detectionAfter(noOpEdit, edits)?.continuedBy).toEqual(
      ['a', 'b', 'c'].map((call) => keyOf(call, 'write_file')),
    )
  })

  it('looking and testing in between does not end the row', () => {
    const look: ReportedTurn = { calls: [{}], tree: 'tree-0' }
    expect(levelsAfter(noOpEdit, [turn, look, turn])).toEqual([undefined, undefined, 'warning'])
  })

  it('an edit that made something new does', () => {
    const effective: ReportedTurn = { calls: [edit], tree: 'tree-1' }
    const after: ReportedTurn = { ...turn, tree: 'tree-1' }
    expect(levelsAfter(noOpEdit, [turn, turn, effective, after])).toEqual([
      undefined,
      'warning',
      undefined,
      undefined,
    ])
  })

  it('so does one that brought back what was there before: it is no progress, but it did something', () => {
    const [there, back] = [
      { calls: [edit], tree: 'tree-1' },
      { calls: [edit], tree: 'tree-0' },
    ]
    expect(levelsAfter(noOpEdit, [there, { ...turn, tree: 'tree-1' }, back, turn, turn])).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      'warning',
    ])
  })
})

describe('given a turn with several edits', () => {
  it('each that says so counts; the tree does not count them once more', () => {
    const both: ReportedTurn = { calls: [idle.calls?.[0] ?? {}, idle.calls?.[0] ?? {}], tree: 'tree-0' }
    expect(detectionAfter(noOpEdit, [idle])).toBeUndefined()
    expect(detectionAfter(noOpEdit, [both])?.numbers).toEqual({ edits: 2 })
  })

  it('those that say nothing are one', () => {
    expect(detectionAfter(noOpEdit, [{ calls: [edit, edit, edit], tree: 'tree-0' }])).toBeUndefined()
  })

  it('a new tree is what the turn did, whatever one of them said', () => {
    const mixed: ReportedTurn = { calls: [{ ...edit, changed: false }, edit], tree: 'tree-1' }
    expect(detectionAfter(noOpEdit, [mixed, { ...idle, tree: 'tree-1' }])).toBeUndefined()
  })
})

describe('given what is no edit, or a failed one', () => {
  it.each([
    ['a command', { tool: 'run_shell', effect: 'execute' } as const],
    ['a look', { tool: 'read_file', effect: 'read' } as const],
    ['an edit that failed', { ...edit, fails: true }],
  ])('%s that leaves the tree as it was is not counted', (_, call) => {
    expect(
      detectionAfter(
        noOpEdit,
        repeated(6, () => ({ calls: [call], tree: 'tree-0' })),
      ),
    ).toBeUndefined()
  })
})

describe('given a run without a folder', () => {
  const told = { workFolder: null }
  const [says, silent] = [{ calls: [{ ...edit, changed: false }] }, { calls: [edit] }]

  it('counts the edits that say so, and one that does not ends the row', () => {
    expect(levelsAfter(noOpEdit, [says, says], told)).toEqual([undefined, 'warning'])
    expect(levelsAfter(noOpEdit, [says, silent, says], told)).toEqual([undefined, undefined, undefined])
  })
})

describe('given what the user says of a tool', () => {
  const command = { tool: 'deploy', effect: 'execute' } as const
  const deploy: ReportedTurn = { calls: [command], tree: 'tree-0' }

  it('one that is mutating edits, whatever its effect', () => {
    expect(levelsAfter(noOpEdit, [deploy, deploy], withTraits({ deploy: { mutating: true } }))).toEqual([
      undefined,
      'warning',
    ])
    expect(levelsAfter(noOpEdit, [deploy, deploy])).toEqual([undefined, undefined])
  })

  it.each([{ mutating: false }, { readOnly: true }])('one that is %j never does', (traits) => {
    for (const turn of [idle, ineffective])
      expect(
        detectionAfter(noOpEdit, [turn, turn, turn, turn], withTraits({ write_file: traits })),
      ).toBeUndefined()
  })

  it('the repeated success of one that is idempotent is told, and not refused', () => {
    const same: ReportedTurn = {
      calls: [{ ...edit, call: 'a', outcome: 'ok', changed: false }],
      tree: 'tree-0',
    }
    const detectionsOf = (count: number, idempotent: boolean) => {
      const told = withTraits({ write_file: { idempotent } })
      const view = viewOf(given(softRun(told), ...reportedTurns(repeated(count, () => same))).state)
      return view === undefined ? [] : loopDetections(view, 'on').map(({ level }) => level)
    }
    expect(detectionsOf(8, false)).toContain('critical')
    expect(new Set(detectionsOf(8, true))).toEqual(new Set(['warning']))
    expect(new Set(detectionsOf(19, true))).toEqual(new Set(['warning']))
    expect(detectionsOf(20, true)).toContain('critical')
  })
})
