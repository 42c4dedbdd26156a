import { describe, expect, it } from 'vitest'
import { parseOptions } from './options.ts'

describe('the options of the measurement', () => {
  it('take the report half, every detector and the folder of the environment, and only print', () => {
    expect(parseOptions([], { DONECHECK_TRAJECTORIES: '/data' })).toEqual({
      folder: '/data',
      half: 'report',
      names: [],
      write: false,
      full: false,
    })
  })

  it('take several names, and measure everything where a page is written', () => {
    const words = ['--half', 'all', '--detector', 'a', '--detector', 'b', '--data', '/x', '--write']
    expect(parseOptions(words, {})).toEqual({
      folder: '/x',
      half: 'all',
      names: ['a', 'b'],
      write: true,
      full: true,
    })
  })

  it('turn down a half that does not exist, and an unknown option', () => {
    expect(() => parseOptions(['--half', 'best'], {})).toThrow("--half 'best' is none of report, tune, all")
    expect(() => parseOptions(['--fast'], {})).toThrow('--fast')
  })
})
