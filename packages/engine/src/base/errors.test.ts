import { describe, expect, it, vi } from 'vitest'
import * as own from './errors.ts'

/** As the command has one within it, and the fleet another. */
async function anotherCopy(): Promise<typeof own> {
  vi.resetModules()
  return import('./errors.ts')
}

describe('given two copies of the library in one process', () => {
  it('then an error of one is the same error for the other, and no other', async () => {
    const other = await anotherCopy()
    const error = new other.UsageError('--slots takes a number')
    expect(Object.is(own.UsageError, other.UsageError)).toBe(false)
    expect(error).toBeInstanceOf(own.UsageError)
    expect(error).not.toBeInstanceOf(own.StoreError)
    expect(new own.RunHeldError('held')).toBeInstanceOf(other.RunHeldError)
    expect(new other.StoreError('here', 'is full')).toBeInstanceOf(own.StoreError)
    expect(new other.CorruptEventError('run', 1, 'is cut')).toBeInstanceOf(own.CorruptEventError)
  })

  it('then a class that extends one of them keeps to its own', () => {
    class FlagError extends own.UsageError {}
    expect(new FlagError('--slots')).toBeInstanceOf(own.UsageError)
    expect(new FlagError('--slots')).toBeInstanceOf(FlagError)
    expect(new own.UsageError('--slots')).not.toBeInstanceOf(FlagError)
  })

  it.each([new Error('x'), { name: 'UsageError' }, 'UsageError', null, undefined])(
    'then %o is none of them',
    (value) => {
      expect(value instanceof own.UsageError).toBe(false)
    },
  )
})
