import { describe, expect } from 'vitest'
import { StoreError } from '../../../base/index.ts'
import { sampleRun } from '@donecheck/core/testing'
import type { StoreTest } from './opened-store.ts'

export function closingContract(it: StoreTest): void {
  describe('given a store that was closed', () => {
    it('says where it was', async (store) => {
      expect(store.place).not.toBe('')
    })

    it('may be closed again', async (store) => {
      await store.close()
      await expect(store.close()).resolves.toBeUndefined()
    })

    it('says so instead of losing what it is told', async (store) => {
      await store.close()
      await expect(store.append(0, sampleRun(), null)).rejects.toThrow(StoreError)
      await expect(store.read('run-1')).rejects.toThrow(StoreError)
      await expect(store.list()).rejects.toThrow('closed')
      await expect(store.attachmentsOf('run-1')).rejects.toThrow(StoreError)
    })
  })
}
