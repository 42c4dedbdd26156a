import { describe, expect, it } from 'vitest'
import {
  begun,
  checked,
  edited,
  failed,
  given,
  modelCalled,
  modelProposed,
  passed,
  toolCall,
  toolCalled,
  toolReturned,
  turnEnded,
  workspaceObserved,
  type Given,
} from '../testing/index.ts'
import { progressBetween, progressScore } from './progress.ts'

const begins = given(
  begun({ verifiers: ['tests', 'lint'] }, failed('tests', { score: 0.5 }), failed('lint')),
  workspaceObserved('tree-0'),
)

function kinds(before: Given, after: Given): readonly string[] {
  return progressBetween(before.state, after.state).map(({ kind }) => kind)
}

function reads(callId: string, outcome: string | undefined, failure?: string) {
  const returned = toolReturned(callId, 'text', failure === undefined ? 'ok' : 'error')
  return [
    modelCalled(1),
    modelProposed(toolCall(callId, 'read_file')),
    toolCalled(callId, 'read', 'read_file'),
    {
      ...returned,
      ...(outcome === undefined ? {} : { outcome }),
      ...(failure === undefined ? {} : { failure }),
    },
  ]
}

describe('given two states of a run', () => {
  it('a tree that was never there is progress, one that was is not', () => {
    const changed = begins.and(edited(1, 'tree-1'))
    expect(kinds(begins, changed)).toContain('workspace-changed')
    const undone = changed.and(turnEnded(1), edited(2, 'tree-0'))
    expect(kinds(changed, undone)).not.toContain('workspace-changed')
    expect(kinds(begins, begins.and(edited(1, 'tree-0')))).not.toContain('workspace-changed')
  })

  it('the first look at the tree and at the checks is none', () => {
    const start = given(begun({ verifiers: ['tests'] }).slice(0, 2))
    expect(kinds(start, begins)).toEqual([])
  })

  it('a better score is told with the best before it', () => {
    const before = begins.and(edited(1, 'tree-1'))
    const after = before.and(checked('change', failed('tests', { score: 0.75 }), failed('lint')))
    expect(progressBetween(before.state, after.state)).toEqual([
      { kind: 'better-score', score: 0.375, bestBefore: 0.25 },
    ])
    expect(progressScore(after.state)).toEqual({ score: 0.375, best: 0.375, bestTurn: 1, sinceBest: 0 })
  })

  it('other failures are told, and the same ones are not', () => {
    const before = begins.and(edited(1, 'tree-1'))
    const other = checked('change', failed('tests', { score: 0.5, reason: 'something else' }), failed('lint'))
    const same = checked('change', failed('tests', { score: 0.5 }), failed('lint'))
    expect(progressBetween(before.state, before.and(other).state)).toEqual([
      { kind: 'new-failures', checks: ['tests', 'lint'] },
    ])
    expect(kinds(before, before.and(same))).toEqual([])
  })

  it('a check that passes now is told by its name', () => {
    const before = begins.and(edited(1, 'tree-1'))
    const after = before.and(checked('change', failed('tests', { score: 0.5 }), passed('lint')))
    expect(progressBetween(before.state, after.state)).toContainEqual({
      kind: 'check-passed',
      verifier: 'lint',
    })
  })

  it('a new result of a tool is told once; a known one, a failed one and an unknown one are not', () => {
    const first = begins.and(reads('a', 'outcome-1'))
    expect(progressBetween(begins.state, first.state)).toEqual([{ kind: 'new-outcome', tool: 'read_file' }])
    expect(kinds(first, first.and(reads('b', 'outcome-1')))).toEqual([])
    expect(kinds(first, first.and(reads('b', 'outcome-2', 'failure-2')))).toEqual([])
    expect(kinds(first, first.and(reads('b', undefined)))).toEqual([])
  })

  it('nothing happened: nothing is told', () => {
    expect(progressBetween(begins.state, begins.state)).toEqual([])
  })
})

describe('given a run before its first verification', () => {
  it('has no score', () => {
    expect(progressScore(given(begun()).state)).toBeUndefined()
  })
})
