import { describe, expect } from 'vitest'
import type { StoreTest } from './opened-store.ts'

export function attachmentContract(it: StoreTest): void {
  describe('given whole outputs beside the stream', () => {
    it('gives them back by their digest, run by run', async (store) => {
      await store.attach('run-1', { digest: 'd1', content: 'one' })
      await store.attach('run-2', { digest: 'd1', content: 'of another run' })
      expect(await store.attachment('run-1', 'd1')).toEqual({ digest: 'd1', content: 'one' })
      expect(await store.attachment('run-1', 'd2')).toBeUndefined()
      expect(await store.attachment('run-3', 'd1')).toBeUndefined()
    })

    it('lists them by their digests', async (store) => {
      expect(await store.attachmentsOf('run-1')).toEqual([])
      for (const digest of ['d2', 'd1', 'd3']) await store.attach('run-1', { digest, content: digest })
      const attachments = await store.attachmentsOf('run-1')
      expect(attachments.map(({ digest }) => digest)).toEqual(['d1', 'd2', 'd3'])
    })

    it('lets go of those alone that are named, which may come again', async (store) => {
      for (const digest of ['d3', 'd1', 'd2']) await store.attach('run-1', { digest, content: digest })
      await store.attach('run-2', { digest: 'd1', content: 'of another run' })
      await store.detach('run-1', ['d1', 'd3', 'of no attachment'])
      await store.detach('run-1', [])
      expect(await store.attachmentDigests('run-1')).toEqual(['d2'])
      expect(await store.attachmentDigests('run-2')).toEqual(['d1'])
      await store.attach('run-1', { digest: 'd1', content: 'again' })
      expect(await store.attachment('run-1', 'd1')).toEqual({ digest: 'd1', content: 'again' })
    })

    it('keeps the first content under a digest', async (store) => {
      for (const content of ['one', 'one', 'other']) await store.attach('run-1', { digest: 'd1', content })
      expect(await store.attachmentsOf('run-1')).toEqual([{ digest: 'd1', content: 'one' }])
    })

    it('keeps every character: none at all, zeros, halves, line ends and many', async (store) => {
      const contents = ['', 'a\0b', 'half \ud800', 'one\r\ntwo\u2028', 'ünïcödé ✓ 🙂'.repeat(100_000)]
      for (const [index, content] of contents.entries())
        await store.attach('run-1', { digest: `d${index}`, content })
      const attachments = await store.attachmentsOf('run-1')
      expect(attachments.map(({ content }) => content)).toEqual(contents)
    })

    it('shows no run that has attachments only', async (store) => {
      await store.attach('run-1', { digest: 'd1', content: 'one' })
      expect(await store.list()).toEqual([])
      expect(await store.read('run-1')).toEqual([])
    })
  })
}
