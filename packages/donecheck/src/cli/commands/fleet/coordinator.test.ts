import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '@donecheck/engine/internal/base'
import { describe, expect, it } from 'vitest'
import { readLimits } from './up.ts'

const currentFolder = mkdtempSync(join(tmpdir(), 'donecheck-limits-'))

const limitsIn = (text: string) => {
  writeFileSync(join(currentFolder, 'limits.json'), text)
  return readLimits({ limits: 'limits.json' }, { currentFolder })
}

describe('given a file of limits', () => {
  it('tenants and providers are held to it', async () => {
    const limits = {
      everyTenant: { atOnce: 20 },
      tenants: { shop: { atOnce: 2 } },
      providers: { anthropic: { atOnce: 50, bucket: { perMinute: 60, burst: 5 } } },
    }
    expect(await limitsIn(JSON.stringify(limits))).toEqual(limits)
  })

  it.each([
    ['{"tenants":{"shop":{"atOnce":-1}}}', 'tenants.shop.atOnce'],
    ['{"tenant":{}}', 'Unrecognized key: "tenant"'],
    ['at once: 3', 'the form is {"everyTenant"'],
  ])('%s is refused by the place that is wrong', async (text, words) => {
    const refused = limitsIn(text)
    await expect(refused).rejects.toThrow(UsageError)
    await expect(refused).rejects.toThrow(words)
  })

  it('one that is not there is refused, and none changes nothing', async () => {
    await expect(readLimits({ limits: 'nowhere.json' }, { currentFolder })).rejects.toThrow('cannot be read')
    expect(await readLimits({}, { currentFolder })).toBeUndefined()
  })
})
