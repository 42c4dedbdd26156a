import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { newPlace, removePlaces } from './fixtures/places.ts'
import { removeTree } from './kept.ts'

afterEach(removePlaces)

describe('given a folder in which folders may not be written to', () => {
  it('then it is removed all the same, and what its links lead to is not', async () => {
    const [place, outside] = [newPlace(), newPlace()]
    const shut = join(place, 'tree', 'cache', 'shut')
    mkdirSync(shut, { recursive: true })
    writeFileSync(join(shut, 'file'), '')
    writeFileSync(join(outside, 'kept'), '')
    symlinkSync(outside, join(place, 'tree', 'link'))
    for (const folder of [shut, join(place, 'tree', 'cache')]) chmodSync(folder, 0o500)
    await removeTree(join(place, 'tree'))
    expect(existsSync(join(place, 'tree'))).toBe(false)
    expect(existsSync(join(outside, 'kept'))).toBe(true)
    await removeTree(join(place, 'nothing'))
  })
})
