import { describe, expect, it } from 'vitest'
import { StoreError } from '../../../base/index.ts'
import { sampleRun } from '@donecheck/core/testing'
import { withStore, type OpenStore } from './opened-store.ts'

export function closingContract(open: OpenStore): void {
  describe('given a store that was closed', () => {
    it(
      'says where it was',
      withStore(open, async (store) => {
        expect(store.place).not.toBe('')
      }),
    )

    it(
      'may be closed again',
      withStore(open, async (store) => {
        await store.close()
        await expect(store.close()).resolves.toBeUndefined()
      }),
    )

    it(
      'says so instead of losing what it is told',
      withStore(open, async (store) => {
        await store.close()
        await expect(store.append(0, sampleRun(), null)).rejects.toThrow(StoreError)
        await expect(store.read('run-1')).rejects.toThrow(StoreError)
        await expect(store.list()).rejects.toThrow('closed')
        await expect(store.attachmentsOf('run-1')).rejects.toThrow(StoreError)
      }),
    )
  })
}
