import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { donecheckVersion } from './version.ts'

it('the version that is recorded is the version of the manifest', () => {
  const manifest = JSON.parse(
    readFileSync(new URL('../../../donecheck/package.json', import.meta.url), 'utf8'),
  ) as {
    version: string
  }
  expect(donecheckVersion).toBe(manifest.version)
})
