import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import type { LoadFnOutput } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadUnchanged, readSources } from './own-modules.ts'

let folder = ''

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'own-modules-')))
})
afterEach(() => rmSync(folder, { recursive: true }))

const fromDisk: LoadFnOutput = { format: 'module', source: 'from the disk' }

function load(file: string, readAtMs: number, sources: ReadonlyMap<string, Buffer> = new Map()) {
  const context = { conditions: [], format: 'module', importAttributes: {} }
  return loadUnchanged({ sources, readAtMs })(pathToFileURL(file).href, context, () => fromDisk)
}

function put(path: string): string {
  const file = join(folder, path)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, 'first')
  return file
}

const inAnHour = () => Date.now() + 3_600_000

describe('given a file of the program', () => {
  it('is loaded as it was read, whatever lies there now', () => {
    const file = put('late.js')
    const sources = readSources(folder)
    writeFileSync(file, 'second')
    expect(load(file, 0, sources).source).toEqual(Buffer.from('first'))
    rmSync(file)
    expect(load(file, 0, sources).source).toEqual(Buffer.from('first'))
  })
})

describe('given a file of a package', () => {
  it('is loaded from the disk while it is older than the program', () => {
    const file = put('node_modules/@scope/one/dist/index.js')
    expect(load(file, inAnHour())).toBe(fromDisk)
  })

  it('is not loaded once it was changed', () => {
    expect(() => load(put('node_modules/one/index.js'), 0)).toThrow('was changed after this donecheck')
  })
})

describe('given a file of the project', () => {
  it('is loaded, for its user may change it while donecheck runs', () => {
    expect(load(put('callbacks.js'), 0)).toBe(fromDisk)
  })
})
