import { describe, expect, it } from 'vitest'
import { busyWait } from './busy-wait.ts'
import { repeated, detectionAfter, withTraits, type ReportedTurn } from './stories/reported-turns.test.ts'

const poll: ReportedTurn = { calls: [{ tool: 'check_status', call: 'job', outcome: 'running' }] }
const after = (count: number, turn: ReportedTurn = poll) =>
  detectionAfter(
    busyWait,
    repeated(count, () => turn),
  )

describe('given a question that is asked again and again, and the answer stays', () => {
  it.each([
    [3, undefined],
    [4, 5],
    [6, 5],
    [7, 10],
    [9, 10],
    [10, 30],
    [12, 30],
    [13, 60],
    [23, 60],
    [24, undefined],
  ])('after %i times it hints to wait %s s', (count, seconds) => {
    expect(after(count)?.numbers['waitSeconds']).toBe(seconds)
  })

  it('each hint is told, none twice, and none refuses anything', () => {
    const detections = repeated(24, (index) => after(index)).filter((detection) => detection !== undefined)
    expect(new Set(detections.map(({ key }) => key)).size).toBe(4)
    for (const detection of detections) expect(detection).toMatchObject({ level: 'warning', continuedBy: [] })
    expect(detections[0]?.advice).toContain('Wait at least 5 s')
  })
})

describe('given waiting as it should be', () => {
  it.each([
    ['the answer changes', repeated(9, () => ({ calls: [{ ...poll.calls?.[0], outcome: undefined }] }))],
    [
      'the answer is unknown',
      repeated(9, () => ({ calls: [{ tool: 'check_status', call: 'job', outcome: null }] })),
    ],
    ['something is done in between', repeated(9, (index) => (index % 4 === 3 ? { calls: [{}] } : poll))],
    [
      'another job is asked after in between',
      repeated(9, (index) =>
        index % 2 === 0 ? poll : { calls: [{ tool: 'check_status', call: 'other', outcome: 'running' }] },
      ),
    ],
    ['it lets time pass itself', repeated(9, () => ({ calls: [{ ...poll.calls?.[0], seconds: 5 }] }))],
    ['it is no question', repeated(9, () => ({ calls: [{ call: 'file', outcome: 'text' }] }))],
  ] as readonly (readonly [string, readonly ReportedTurn[]])[])('nothing is said where %s', (_, turns) => {
    expect(detectionAfter(busyWait, turns)).toBeUndefined()
  })

  it('the row begins anew with a new answer', () => {
    const done: ReportedTurn = { calls: [{ tool: 'check_status', call: 'job', outcome: 'half' }] }
    expect(detectionAfter(busyWait, [poll, poll, poll, poll, done, done, done])).toBeUndefined()
    expect(detectionAfter(busyWait, [poll, poll, poll, poll, done, done, done, done])?.numbers).toEqual({
      calls: 4,
      waitSeconds: 5,
    })
  })
})

describe('given what the user says of a tool', () => {
  const ask: ReportedTurn = { calls: [{ tool: 'ci', call: 'build', outcome: 'running' }] }
  const four = repeated(4, () => ask)

  it('one that is a poll waits, one that is none does not, whatever their names', () => {
    expect(detectionAfter(busyWait, four)).toBeUndefined()
    expect(detectionAfter(busyWait, four, withTraits({ ci: { poll: true } }))?.level).toBe('warning')
    const told = withTraits({ check_status: { poll: false } })
    expect(
      detectionAfter(
        busyWait,
        repeated(4, () => poll),
        told,
      ),
    ).toBeUndefined()
  })
})
