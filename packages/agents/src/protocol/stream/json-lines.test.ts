import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { livingGroups } from '@donecheck/engine/internal/system/process'
import { type JsonLine, startJsonLines, type JsonLinesProcess } from './json-lines.ts'

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'donecheck-lines-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

const environment = { PATH: process.env['PATH'] ?? '' }

function shell(script: string, keepsInputOpen?: true): JsonLinesProcess {
  return startJsonLines({
    command: { shell: script },
    folder,
    environment,
    ...(keepsInputOpen === undefined ? {} : { keepsInputOpen }),
  })
}

async function all({ lines }: JsonLinesProcess): Promise<readonly JsonLine[]> {
  const read: JsonLine[] = []
  for await (const line of lines) read.push(line)
  return read
}

const value = (given: string | number) => ({ kind: 'value', value: given })

/** A zombie does not count as alive. */
function isAlive(processId: string): boolean {
  const file = `/proc/${processId.trim()}/stat`
  return existsSync(file) && !/^\d+ \(.*\) Z/s.test(readFileSync(file, 'utf8'))
}

describe('given a program that prints lines', () => {
  it('reads them, and how it ended, with the end of its stderr', async () => {
    const program = shell(`echo 1; echo '"two"'; echo oops >&2; exit 3`)
    expect(await all(program)).toEqual([value(1), value('two')])
    const end = await program.ended
    expect(end).toMatchObject({ kind: 'exited', exitCode: 3 })
    expect(end.problem).toBe('it ended with exit code 3; the end of its stderr: oops')
    await program.end()
  })

  it('holds back one that prints more than is read', async () => {
    const program = shell(`(for i in $(seq 1 200000); do echo $i; done; touch all-printed); wait`)
    const reader = program.lines[Symbol.asyncIterator]()
    await reader.next()
    expect(existsSync(join(folder, 'all-printed'))).toBe(false)
    await program.end()
    expect(existsSync(join(folder, 'all-printed'))).toBe(false)
  })

  it('reads what was printed before a kill, and tells of the kill', async () => {
    const program = shell('echo 1; kill -9 $$')
    expect(await all(program)).toEqual([value(1)])
    expect(await program.ended).toMatchObject({ kind: 'signalled', problem: 'it was killed by SIGKILL' })
  })
})

describe('given a program that is talked to', () => {
  it('writes lines, and closes', async () => {
    const program = shell('read a; echo "$a"; read b; echo "$b"; cat', true)
    const reader = program.lines[Symbol.asyncIterator]()
    expect(await program.write('one')).toBe(true)
    expect(await reader.next()).toMatchObject({ value: value('one') })
    expect(await program.write(2)).toBe(true)
    expect(await reader.next()).toMatchObject({ value: value(2) })
    program.closeInput()
    expect(await program.ended).toMatchObject({ exitCode: 0 })
  })
})

describe('given a program that does not go', () => {
  it('ends its whole group, also one that does not listen', async () => {
    const program = shell(`trap '' TERM; sleep 1000 & echo $! > child; echo 1; while :; do wait; done`)
    const reader = program.lines[Symbol.asyncIterator]()
    await reader.next()
    await program.end()
    expect(isAlive(await readFile(join(folder, 'child'), 'utf8'))).toBe(false)
    expect(livingGroups()).toEqual([])
  })

  it('does not wait for a child that holds the pipe open, and ends it', async () => {
    const program = shell('sleep 1000 & echo $! > child; echo 1')
    expect(await all(program)).toEqual([value(1)])
    await program.end()
    expect(isAlive(await readFile(join(folder, 'child'), 'utf8'))).toBe(false)
  })

  it('does not wait for a daemon in a session of its own that goes on printing', async () => {
    await writeFile(join(folder, 'daemon.sh'), 'echo $$ > daemon; while :; do echo 7; sleep 0.02; done\n')
    const program = shell('setsid sh daemon.sh & while ! test -s daemon; do sleep 0.01; done; echo 1')
    const lines = await all(program)
    expect(lines).toContainEqual(value(1))
    process.kill(Number(await readFile(join(folder, 'daemon'), 'utf8')), 'SIGKILL')
  })
})

describe('given that we are killed', () => {
  it('dies with us, although it does not care', async () => {
    const script = `trap '' TERM PIPE; sleep 1000 & echo $$ > leader; echo $! > child; echo 1; while :; do wait; done`
    const request = { command: { shell: script }, folder, environment }
    const lines = new URL('json-lines.ts', import.meta.url).href
    const holder = spawn(process.execPath, [
      '--input-type=module',
      '--eval',
      `const { startJsonLines } = await import(${JSON.stringify(lines)})
      for await (const line of startJsonLines(${JSON.stringify(request)}).lines) console.log('reads')`,
    ])
    await once(holder.stdout, 'data')
    const ids = await Promise.all(['leader', 'child'].map((file) => readFile(join(folder, file), 'utf8')))
    expect(ids.map(isAlive)).toEqual([true, true])
    holder.kill('SIGKILL')
    await expect.poll(() => ids.some(isAlive)).toBe(false)
  })
})

describe('given a program that is not there', () => {
  it('has no lines, and an end that names it', async () => {
    const program = startJsonLines({ command: { words: ['no-such-agent'] }, folder, environment })
    expect(await all(program)).toEqual([])
    expect(await program.ended).toMatchObject({
      kind: 'not-started',
      problem: 'there is no program "no-such-agent"',
    })
    expect(await program.write(1)).toBe(false)
    await program.end()
  })
})
