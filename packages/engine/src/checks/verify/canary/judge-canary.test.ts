import { describe, expect, it } from 'vitest'
import { judgeCanary, readTraces } from './judge-canary.ts'

const mark = 'w0123456789'
const one = { path: 'test/a.test.js', mark: `${mark}x0` }
const two = { path: 'test/b.test.js', mark: `${mark}x1` }
const own = (file: string) => ({ name: 'adds', file, status: 'passed' })
const last = ({ path, mark }: typeof one) => ({ name: `${mark} last`, file: path, status: 'passed' })

const judge = (trace: string, tests: Parameters<typeof judgeCanary>[3], isAsked = true) =>
  judgeCanary([one, two], mark, readTraces(trace, mark), tests, isAsked)

describe('what planted tests have seen', () => {
  it('is seen where every file that the report names came to its last test', () => {
    const tests = [own(one.path), last(one), own('test/other.js')]
    expect(judge(`${one.mark} loaded \n${one.mark} last \n`, tests)).toEqual({ kind: 'seen', files: 1 })
  })

  it('is tampered where something passes that must fail', () => {
    expect(judge(`${one.mark} bad assert.equal passes for a false statement\n`, undefined)).toMatchObject({
      kind: 'tampered',
      reason: 'beside the product, assert.equal passes for a false statement',
    })
  })

  it.each([
    ['a test is reported as passed that did not run', `${one.mark} loaded \n`, [own(one.path), last(one)]],
    ['a test that ran is missing in the report', `${one.mark} last \n`, [own(one.path)]],
  ])('is tampered where %s', (_, trace, tests) => {
    expect(judge(trace, tests).kind).toBe('tampered')
  })

  it.each([
    ['no planted test ran', '', [own(one.path)], true],
    [
      'a file that the report names did not come to its last test',
      `${one.mark} last \n`,
      [last(one), own(two.path)],
      true,
    ],
    ['there is no report', `${one.mark} last \n`, undefined, true],
    ['the report is not the one that was asked for', `${one.mark} last \n`, [last(one)], false],
  ])('is unseen where %s', (_, trace, tests, isAsked) => {
    expect(judge(trace, tests, isAsked)).toEqual({ kind: 'unseen' })
  })

  it('misses no test of a script that no runner ran', () => {
    const trace = `${one.mark} last \n${two.mark} loaded \n${two.mark} end \n`
    expect(judge(trace, [own(one.path), last(one)])).toEqual({ kind: 'seen', files: 1 })
  })

  it('takes no mark of the first file for one of the tenth', () => {
    const tenth = { path: 'test/j.test.js', mark: `${mark}x10` }
    const tests = [last(tenth)]
    expect(judge(`${one.mark} last \n`, tests).kind).toBe('tampered')
  })

  it('knows files of Go by their packages', () => {
    const go = { path: 'cart/cart_test.go', mark: `${mark}x0` }
    const tests = [
      { name: 'example.com/x/cart > TestCart', status: 'passed' },
      { name: `example.com/x/other > Test${mark.toUpperCase()}X1Last`, status: 'passed' },
    ]
    const traces = readTraces(`${mark}x1 last \n`, mark)
    expect(judgeCanary([go, two], mark, traces, tests, true)).toEqual({ kind: 'unseen' })
  })
})
