import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { scratchPlace } from '../../base/index.ts'

const home = mkdtempSync(join(tmpdir(), 'scratch-test-'))
const source = new URL('./scratch-folder.ts', import.meta.url).href
afterAll(() => rmSync(home, { recursive: true, force: true }))

const environment = { ...process.env, HOME: home, XDG_CACHE_HOME: '' }
const parent = scratchPlace({ environment, homeFolder: home })

/** Makes a folder in a process of its own, which then does what the lines say. */
function programOf(lines: string): readonly string[] {
  const text = `import { makeScratchFolder, removeScratchFolder } from '${source}'
    const folder = makeScratchFolder('index'); console.log(folder); ${lines}`
  return ['--conditions=donecheck-source', '--input-type=module', '--eval', text]
}

function runProgram(lines: string): string {
  const ran = spawnSync(process.execPath, programOf(lines), { env: environment, encoding: 'utf8' })
  expect(ran.stderr).toBe('')
  return ran.stdout.trim()
}

async function killAfterMaking(): Promise<string> {
  const child = spawn(process.execPath, programOf('setInterval(() => {}, 1000)'), { env: environment })
  const pieces: readonly unknown[] = await once(child.stdout.setEncoding('utf8'), 'data')
  child.kill('SIGKILL')
  await once(child, 'close')
  return String(pieces[0]).trim()
}

describe('a scratch folder', () => {
  it('lies in the cache folder of the user, and is gone with its process', () => {
    const folder = runProgram('')
    expect(folder.startsWith(parent)).toBe(true)
    expect(readdirSync(parent)).toEqual([])
  })

  it('can be removed earlier, also where a program has closed a folder in it', () => {
    const lines = `const { mkdirSync, chmodSync, existsSync } = await import('node:fs')
      mkdirSync(folder + '/a/b', { recursive: true }); chmodSync(folder + '/a', 0)
      removeScratchFolder(folder); console.log(existsSync(folder))`
    expect(runProgram(lines).split('\n').at(-1)).toBe('false')
  })

  it('of a killed process is removed by the next process', async () => {
    const left = await killAfterMaking()
    expect(existsSync(left)).toBe(true)
    runProgram('')
    expect(existsSync(left)).toBe(false)
  })

  it('of a living process or of another machine stays, and goes when it is old', () => {
    const [alive, foreign, old] = [`${hostname()}.${process.pid}.x`, 'elsewhere.1.x', 'elsewhere.2.x']
    for (const name of [alive, foreign, old]) mkdirSync(join(parent, name), { recursive: true })
    const longAgo = new Date(Date.now() - 30 * 24 * 3_600_000)
    utimesSync(join(parent, old), longAgo, longAgo)
    runProgram('')
    expect(readdirSync(parent).sort()).toEqual([foreign, alive].sort())
  })

  it('lies in the temporary folder where the cache folder cannot be written', () => {
    rmSync(join(home, '.cache'), { recursive: true })
    writeFileSync(join(home, '.cache'), 'a file')
    const folder = runProgram(`console.log((await import('node:fs')).statSync(folder).mode.toString(8))`)
    expect(folder.startsWith(tmpdir())).toBe(true)
    expect(folder.endsWith('40700')).toBe(true)
  })
})
