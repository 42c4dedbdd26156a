import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { UsageError } from '../../../base/index.ts'
import type { Verifier } from '../../../ports/checks.ts'
import { verifierContract } from '../../../testing/contracts/verifier-contract.ts'
import { contextOf, prepared, startedAtOnce } from '../texts/fixtures/ask.ts'
import { processAlive, type ProcessAliveOptions } from './process-alive.ts'
import { eachInFolder } from '../texts/fixtures/temporary-folder.ts'

const hasProc = existsSync('/proc/self/stat')
const needsProc = hasProc ? '' : ' (skipped: this system has no /proc)'

const byFile = processAlive({ pidFile: 'server.pid' })

verifierContract('processAlive', {
  passing: () => prepared(byFile, (folder) => writeFile(join(folder, 'server.pid'), String(process.pid))),
  failing: () => processAlive({ pidFile: 'missing.pid' }),
  makeUndecided: () => {
    const verifier = processAlive({ pidFile: 'any.pid' })
    return {
      ...verifier,
      verify: (context, signal) => verifier.verify({ ...context, workFolder: null }, signal),
    }
  },
  hanging: (onStart) => startedAtOnce(processAlive({ pidFile: 'no-such.pid' }), onStart),
})

const children: ChildProcess[] = []
let folder = ''

eachInFolder((made) => {
  folder = made
})

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** A process that lives until the test ends. */
async function sleeper(): Promise<number> {
  const child = spawn('sleep', ['1000'], { stdio: 'ignore' })
  children.push(child)
  await once(child, 'spawn')
  return child.pid ?? 0
}

function ask(verifier: Verifier) {
  return verifier.verify(contextOf({ workFolder: folder }), new AbortController().signal)
}

async function write(text: string): Promise<void> {
  await writeFile(join(folder, 'server.pid'), text)
}

describe.skipIf(!hasProc)(`given a file with a process id${needsProc}`, () => {
  it('passes for a process that is there', async () => {
    await write(`${await sleeper()}\n`)
    const report = await ask(byFile)
    expect(report.status).toBe('passed')
    expect(report.reason).toContain('(sleep)')
  })

  it('fails for a process that has ended', async () => {
    const pid = await sleeper()
    const [child] = children
    child?.kill('SIGKILL')
    if (child !== undefined) await once(child, 'exit')
    await write(String(pid))
    expect(await ask(byFile)).toMatchObject({ status: 'failed', reason: `there is no process ${pid}` })
  })

  it('fails for a zombie, which a signal of 0 would call alive', async () => {
    const parent = spawn('sh', ['-c', 'sleep 1000 & echo $!; exec sleep 1000'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    children.push(parent)
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const pid = Number(line.toString())
    // From here on nothing waits for the end of the child.
    while ((await readFile(`/proc/${parent.pid ?? 0}/comm`, 'utf8')).trim() !== 'sleep');
    process.kill(pid, 'SIGKILL')
    await write(String(pid))
    const verdictOf = async () => (await ask(byFile)).reason
    while (!(await verdictOf()).includes('zombie'));
    expect(process.kill(pid, 0)).toBe(true)
    expect(await ask(byFile)).toMatchObject({ status: 'failed' })
  })

  it.each(['', 'none', '0', '-1', '12 13', '1e3', '99999999999'])(
    'fails for %j, which is no id',
    async (text) => {
      await write(text)
      expect(await ask(byFile)).toMatchObject({ status: 'failed', reason: 'server.pid holds no process id' })
    },
  )
})

describe('given a port', () => {
  it('passes while something listens there, and fails after', async () => {
    const server = createServer((socket) => socket.destroy())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const verifier = processAlive({
      port: typeof address === 'object' && address !== null ? address.port : 0,
    })
    expect(await ask(verifier)).toMatchObject({ status: 'passed' })
    server.close()
    await once(server, 'close')
    expect(await ask(verifier)).toMatchObject({ status: 'failed' })
  })
})

describe('given misuse', () => {
  it.each([{}, { pidFile: 'a', port: 1 }, { port: 0 }, { port: 65_536 }, { pidFile: '../server.pid' }])(
    'refuses %j',
    (options) => {
      expect(() => processAlive(options as ProcessAliveOptions)).toThrow(UsageError)
    },
  )
})
