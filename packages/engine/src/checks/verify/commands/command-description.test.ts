import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../base/index.ts'
import { command, type CommandOptions } from './command.ts'

describe('saying what its verdict depends on', () => {
  it('names the line and every option that may change it, and not its name', () => {
    const base = command('npm test').inputs
    expect(command('npm test', { name: 'tests' }).inputs).toEqual(base)
    const others: CommandOptions[] = [
      { tests: 'off' },
      { preExisting: 'tolerate' },
      { mayDrop: ['a'] },
      { timeoutMs: 5 },
      { environment: { A: '1' } },
    ]
    for (const options of others) expect(command('npm test', options).inputs).not.toEqual(base)
    expect(command('npm run test').inputs).not.toEqual(base)
  })

  it('follows the environment of this process, apart from what is our own', () => {
    const verifier = command('true')
    const before = verifier.inputs
    process.env['FRUIT_OF_THE_DAY'] = 'pear'
    const after = verifier.inputs
    delete process.env['FRUIT_OF_THE_DAY']
    process.env['DONECHECK_MARK'] = 'x'
    const own = verifier.inputs
    delete process.env['DONECHECK_MARK']
    expect(after).not.toEqual(before)
    expect(own).toEqual(before)
  })
})

describe('given misuse', () => {
  it.each(['', '  \n'])('refuses the empty line %j, which the shell would call a success', (line) => {
    expect(() => command(line)).toThrow(UsageError)
  })

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('refuses the bound %d', (timeoutMs) => {
    expect(() => command('true', { timeoutMs })).toThrow(/timeoutMs/)
  })
})
