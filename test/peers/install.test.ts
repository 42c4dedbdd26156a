/** The installer with an npm that only lays manifests: what is there at the end, and what never is. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** Refuses every package whose name holds `broken`, and then lays none of those that it was asked for. */
const fakeNpm = (broken: string) => `#!/usr/bin/env node
const { mkdirSync, writeFileSync, appendFileSync } = require('node:fs')
const specs = process.argv.slice(3).filter((word) => !word.startsWith('--'))
appendFileSync(process.env.ASKED, specs.join(' ') + '\\n')
if (specs.some((spec) => spec.includes(${JSON.stringify(broken)}))) process.exit(1)
for (const spec of specs) {
  const split = spec.lastIndexOf('@')
  const folder = 'node_modules/' + spec.slice(0, split)
  mkdirSync(folder, { recursive: true })
  writeFileSync(folder + '/package.json', JSON.stringify({ version: spec.slice(split + 1) }))
}
`

function house(broken = 'nothing of that name') {
  const root = mkdtempSync(join(tmpdir(), 'donecheck-install-'))
  folders.push(root)
  mkdirSync(join(root, 'bin'))
  writeFileSync(join(root, 'bin/npm'), fakeNpm(broken), { mode: 0o755 })
  const asked = join(root, 'asked')
  writeFileSync(asked, '')
  const PATH = [join(root, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter)
  const install = (...words: string[]) => {
    const all = [join(import.meta.dirname, 'install.ts'), ...words, `${root}/peers/`]
    const { status, stderr } = spawnSync(process.execPath, all, {
      encoding: 'utf8',
      env: { PATH, ASKED: asked },
    })
    return { status, stderr }
  }
  const has = (path: string) => existsSync(join(root, 'peers', path, 'package.json'))
  const calls = () => readFileSync(asked, 'utf8').trimEnd().split('\n').length
  return { root, install, has, calls, peers: () => readdirSync(join(root, 'peers')) }
}

describe('given packages that can be had', () => {
  it('installs one agent with all that belongs to it, and nothing twice', () => {
    const { install, has, calls, peers } = house()
    expect(install('opencode')).toEqual({ status: 0, stderr: '' })
    expect(has('agents/node_modules/opencode-ai')).toBe(true)
    expect(has('agents/node_modules/@opencode-ai/plugin')).toBe(true)
    expect(install('opencode')).toEqual({ status: 0, stderr: '' })
    expect({ peers: peers(), calls: calls() }).toEqual({ peers: ['agents'], calls: 1 })
  })

  it('adds another one to those that are there', () => {
    const { install, has } = house()
    install('gemini')
    expect(install('codex').status).toBe(0)
    expect([has('agents/node_modules/@google/gemini-cli'), has('agents/node_modules/@openai/codex')]).toEqual(
      [...[true, true]],
    )
  })

  it('clears away what one left that was killed', () => {
    const { install, peers, root } = house()
    const { pid } = spawnSync('true')
    mkdirSync(join(root, `peers/agents.new-${pid}/node_modules`), { recursive: true })
    install('gemini')
    expect(peers()).toEqual(['agents'])
  })

  it('installs everything where nothing is named', () => {
    const { install, peers, calls } = house()
    expect(install().status).toBe(0)
    expect({ peers: peers().sort(), calls: calls() }).toEqual({
      peers: ['agents', 'sdks', 'servers'],
      calls: 3,
    })
  })
})

describe('given one that cannot be had', () => {
  it('says so, and installs the others', () => {
    const { install, has } = house('copilot')
    const { status, stderr } = install('agents')
    expect(status).toBe(1)
    expect(stderr).toMatch(/^could not install @github\/copilot@[\d.]+\n$/)
    expect(has('agents/node_modules/@openai/codex')).toBe(true)
  })

  it('leaves nothing where it was the only one', () => {
    const { install, peers } = house('codex')
    expect(install('codex').status).toBe(1)
    expect(peers()).toEqual([])
  })
})

it('given a name that is none, it names those that are', () => {
  const { install } = house()
  expect(install('clod')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('claude|codex') as string,
  })
})
