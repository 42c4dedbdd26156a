import { describe, expect, it } from 'vitest'
import { placementOf } from '../../../analysis/sides/index.ts'
import { textOf, bytePathOfText } from '../../../system/trees/index.ts'
import type { Overlay } from './independent-tree.ts'
import type { CheckSideChange } from './sided-changes.ts'
import { report } from '../fixtures/sum-check.ts'
import { findProduct } from './trials.ts'

const file = { kind: 'file', digest: '', mode: 0o644, text: '' } as const

function change(path: string, kind?: 'judges' | 'shadows'): CheckSideChange {
  const trial =
    kind === undefined
      ? {}
      : { trial: { kind, path: kind === 'judges' ? path : 'twin.py', text: 'x', because: '' } }
  const placement = { ...placementOf(path, 'source'), ...trial }
  const tree = { path, bytePath: bytePathOfText(path), before: file, after: file, earlier: undefined }
  return { path, key: path, change: tree, placement, text: undefined }
}

/** @param judge whether the check is green with these files as they were, and these ones replaced */
async function productAmong(
  undone: readonly CheckSideChange[],
  judge: (undone: readonly string[], laid: readonly string[]) => boolean | 'error',
) {
  const run = (those: readonly CheckSideChange[], overlay: Overlay) => {
    const answer = judge(
      those.map(({ path }) => path),
      [...overlay.keys()].map(textOf),
    )
    return Promise.resolve(report(answer === 'error' ? answer : answer ? 'passed' : 'failed', []))
  }
  return (await findProduct(undone, run)).map(({ path }) => path)
}

describe('given a source that may judge', () => {
  const unsure = [change('same.js', 'judges')]

  it('belongs to the product if the check misses what it does', async () => {
    expect(await productAmong(unsure, (undone) => !undone.includes('same.js'))).toEqual(['same.js'])
  })

  it('judges if the check is green without its complaint', async () => {
    const judge = (undone: readonly string[], laid: readonly string[]) =>
      !undone.includes('same.js') || laid.length > 0
    expect(await productAmong(unsure, judge)).toEqual([])
  })

  it('is not shown to be product by an experiment without an answer', async () => {
    const judge = (undone: readonly string[], laid: readonly string[]) =>
      laid.length > 0 ? 'error' : !undone.includes('same.js')
    expect(await productAmong(unsure, judge)).toEqual([])
  })

  it('is found beside a source that the check misses', async () => {
    const both = [change('cart.js', 'judges'), change('same.js', 'judges')]
    const judge = (undone: readonly string[], laid: readonly string[]) =>
      !undone.includes('cart.js') && (!undone.includes('same.js') || laid.includes('same.js'))
    expect(await productAmong(both, judge)).toEqual(['cart.js'])
  })

  it('is compared beside the tests of now if the earlier ones are red without it', async () => {
    const changes = [change('a.test.js'), ...unsure]
    expect(await productAmong(changes, (undone) => undone.length === 0)).toEqual(['same.js'])
  })
})

describe('given a new module that may be found in the place of one of the checks', () => {
  const unsure = [change('compat/helpers.py', 'shadows')]

  it('is product if the check cannot do without its own', async () => {
    expect(await productAmong(unsure, (undone, laid) => undone.length === 0 && laid.length === 0)).toEqual([
      'compat/helpers.py',
    ])
  })

  it('decides if the check does not miss its own', async () => {
    expect(await productAmong(unsure, (undone) => undone.length === 0)).toEqual([])
  })
})
