import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { choosePlace, removeOrphanedPlaces } from './place.ts'

let top: string
let places: readonly string[]
let stateFolder: string

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'place-'))
  places = [join(top, 'shared/user/home/work'), join(top, 'cache/work')]
  stateFolder = join(top, 'state')
  mkdirSync(stateFolder)
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

describe('given a place that everybody may write to', () => {
  it('takes it if what lies there is its own', () => {
    expect(choosePlace(places, stateFolder)).toBe(places[0])
    expect(choosePlace(places, stateFolder)).toBe(places[0])
  })

  it('takes the next one if others may write into the folder that is there', () => {
    mkdirSync(join(top, 'shared/user'), { recursive: true })
    chmodSync(join(top, 'shared/user'), 0o777)
    expect(choosePlace(places, stateFolder)).toBe(places[1])
  })

  it('takes the next one if nothing can be made there', () => {
    writeFileSync(join(top, 'shared'), 'no folder')
    expect(choosePlace(places, stateFolder)).toBe(places[1])
  })

  it('takes the only one as it is', () => {
    expect(choosePlace([join(top, 'chosen/work')], stateFolder)).toBe(join(top, 'chosen/work'))
    expect(existsSync(join(top, 'chosen'))).toBe(false)
  })
})

describe('when a state folder is gone', () => {
  it('leaves rooms whose owner is not written yet', async () => {
    mkdirSync(join(top, 'shared/user/other'), { recursive: true, mode: 0o700 })
    writeFileSync(join(top, 'shared/user/other/of'), '')
    chmodSync(join(top, 'shared/user'), 0o700)
    expect(await removeOrphanedPlaces(choosePlace(places, stateFolder))).toBe(0)
    expect(existsSync(join(top, 'shared/user/other'))).toBe(true)
  })

  it('removes its rooms, and no others', async () => {
    const other = join(top, 'shared/user/other/work')
    const gone = join(top, 'gone')
    mkdirSync(gone)
    choosePlace([other, top], gone)
    const place = choosePlace(places, stateFolder)
    expect(await removeOrphanedPlaces(place)).toBe(0)
    rmSync(gone, { recursive: true })
    expect(await removeOrphanedPlaces(place)).toBe(1)
    expect(existsSync(join(top, 'shared/user/other'))).toBe(false)
    expect(existsSync(join(top, 'shared/user/home'))).toBe(true)
  })
})
