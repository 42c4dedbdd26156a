import { mkdir, symlink } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { defaultStoreFolder, isInside } from './store-folder.ts'
import { eachInFolder } from './sqlite/fixtures/temporary-folder.ts'

let base = ''

eachInFolder((made) => {
  base = made
})

function placeOf(workFolder: string, environment: Record<string, string> = {}): string {
  return defaultStoreFolder({ environment, homeFolder: '/home/somebody', workFolder })
}

describe('given a project', () => {
  it('has its store in the home folder of state, with a name for people', () => {
    const place = placeOf('/srv/My Project')
    expect(dirname(place)).toBe('/home/somebody/.local/state/donecheck')
    expect(basename(place)).toMatch(/^My-Project-[0-9a-f]{16}$/)
  })

  it('follows XDG_STATE_HOME where it is absolute, and ignores it otherwise', () => {
    expect(dirname(placeOf('/srv/a', { XDG_STATE_HOME: '/state' }))).toBe('/state/donecheck')
    for (const ignored of ['', 'state', './state', '~/state'])
      expect(placeOf('/srv/a', { XDG_STATE_HOME: ignored })).toBe(placeOf('/srv/a'))
  })

  it('has one store by whatever name it is reached, and another than a project of the same name', async () => {
    await mkdir(join(base, 'one', 'app'), { recursive: true })
    await mkdir(join(base, 'two', 'app'), { recursive: true })
    await symlink(join(base, 'one', 'app'), join(base, 'link'))
    const place = placeOf(join(base, 'one', 'app'))
    expect(placeOf(join(base, 'link'))).toBe(place)
    expect(placeOf(relative(process.cwd(), join(base, 'one', 'app')) + '/')).toBe(place)
    expect(placeOf(join(base, 'two', 'app'))).not.toBe(place)
  })
})

describe('given a folder and a tree', () => {
  it('knows what lies in the tree, whether it exists or not', () => {
    expect(isInside(base, base)).toBe(true)
    expect(isInside(join(base, 'a', 'b'), base)).toBe(true)
    expect(isInside(join(base, '..a'), base)).toBe(true)
    expect(isInside(base, '/')).toBe(true)
    expect(isInside(join(base, 'a', '..', '..'), base)).toBe(false)
    expect(isInside(dirname(base), base)).toBe(false)
    expect(isInside(`${base}-2`, base)).toBe(false)
  })

  it('is not deceived by links, into the tree or out of it', async () => {
    await mkdir(join(base, 'tree'))
    await mkdir(join(base, 'elsewhere'))
    await symlink(join(base, 'tree'), join(base, 'in'))
    await symlink(join(base, 'elsewhere'), join(base, 'tree', 'out'))
    expect(isInside(join(base, 'in', 'store'), join(base, 'tree'))).toBe(true)
    expect(isInside(join(base, 'tree', 'out', 'store'), join(base, 'tree'))).toBe(false)
    expect(isInside(join(base, 'tree', 'store'), join(base, 'in'))).toBe(true)
  })
})
