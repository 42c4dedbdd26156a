import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { processTable, runProcess } from '../../system/process/index.ts'
import { never, newFolder, put } from './fixtures/work-tree.ts'
import { endLeftOvers, leftOverProcesses, type LeftOver } from './left-over.ts'

const hasTable = processTable() !== undefined
const children: ChildProcess[] = []
const orphans: number[] = []

afterEach(async () => {
  await endLeftOvers(ours)
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const id of orphans.splice(0)) if (isRunning(id)) process.kill(id, 'SIGKILL')
})

const ours = () => (leftOverProcesses('/nowhere', 0) ?? []).filter(({ isMarked }) => isMarked)
const isRunning = (id: number) => processTable()?.some((one) => one.id === id && !one.ended) ?? false
const path = process.env['PATH'] ?? ''

/** Runs a line as the commands of a drive are run. */
function run(folder: string, line: string, signal = never) {
  const bounds = { timeoutMs: 30_000, headBytes: 1_000, tailBytes: 1_000, keepBytes: 0 }
  return runProcess({ command: { shell: line }, folder, environment: { PATH: path }, signal, ...bounds })
}

const sleeper = `trap "" TERM; echo $$ > id; while :; do sleep 1; done`
/** Takes connections, and writes its id and its port down. */
const server = `const server = require('node:net').createServer()
server.listen(process.argv[3] ?? 0, '127.0.0.1', () => {
  require('node:fs').writeFileSync(process.argv[2], JSON.stringify({ id: process.pid, port: server.address().port ?? 0 }))
})`

/** A line that starts a program in a session of its own, leaves it to the first process, and waits until it is up. */
const orphaned = (program: string, file = 'id') =>
  `(setsid ${program} >/dev/null 2>&1 &); until [ -s ${file} ]; do sleep 0.02; done`
const idIn = (folder: string) => Number(readFileSync(join(folder, 'id'), 'utf8'))

function serverIn(folder: string): { readonly id: number; readonly port: number } {
  const read: unknown = JSON.parse(readFileSync(join(folder, 'up'), 'utf8'))
  if (typeof read !== 'object' || read === null || !('id' in read) || !('port' in read))
    throw new Error('no server')
  orphans.push(Number(read.id))
  return { id: Number(read.id), port: Number(read.port) }
}

/** Started by somebody else than us: no mark of ours. */
function elsewhere(folder: string, line: string): void {
  execFileSync('sh', ['-c', line], { cwd: folder, env: { PATH: path } })
}

const foundIn = (folder: string, id: number, sinceMs = 0): LeftOver | undefined =>
  leftOverProcesses(folder, sinceMs)?.find((one) => one.id === id)

describe.skipIf(!hasTable)('given what an agent started (needs the process table of Linux)', () => {
  it('finds what left its group, and ends it although it does not want to', async () => {
    const folder = newFolder()
    await run(folder, orphaned(`sh -c '${sleeper}'`))
    expect(ours().map(({ id }) => id)).toContain(idIn(folder))
    expect(await endLeftOvers(ours)).toBe(true)
    expect(isRunning(idIn(folder))).toBe(false)
  })

  it('knows a server again that has cleared its environment and stands elsewhere', async () => {
    const folder = newFolder()
    put(folder, { 'server.cjs': server })
    const program = `env -i ${process.execPath} ${folder}/server.cjs ${folder}/up`
    await run(folder, `cd /; ${orphaned(program, `${folder}/up`)}`)
    const { id, port } = serverIn(folder)
    const found = leftOverProcesses('/nowhere', 0)?.find((one) => one.id === id)
    expect(found).toMatchObject({ isMarked: true, listensOn: [port], isInTheWay: false })
    expect(await endLeftOvers(ours)).toBe(true)
    expect(isRunning(id)).toBe(false)
  })

  it('leaves a command alone that still runs, with all that it started', async () => {
    const folder = newFolder()
    const stop = new AbortController()
    const ended = run(folder, `setsid sh -c '${sleeper}' & while :; do sleep 1; done`, stop.signal)
    while (!existsSync(join(folder, 'id')) || readFileSync(join(folder, 'id'), 'utf8') === '')
      await new Promise(setImmediate)
    expect(ours()).toEqual([])
    stop.abort()
    await ended
    expect(ours().map(({ id }) => id)).toContain(idIn(folder))
  })
})

describe.skipIf(!hasTable)('given a process that nobody knows (needs the process table of Linux)', () => {
  const startServer = (folder: string, where: string, marking = '') => {
    put(where, { 'server.cjs': server })
    const program = `${process.execPath} ${where}/server.cjs ${where}/up`
    elsewhere(folder, `${marking}${orphaned(program, `${where}/up`)}`)
    return serverIn(where)
  }

  it('is in the way where it works in the folder and takes connections', () => {
    const folder = newFolder()
    const { id, port } = startServer(folder, folder)
    const found = foundIn(folder, id)
    expect(found).toMatchObject({ isMarked: false, isInTheWay: true, listensOn: [port] })
    expect(found?.command).toContain('server.cjs')
  })

  it('is told, and not in the way, where it takes none, or talks over a local socket as build tools do', () => {
    const folder = newFolder()
    elsewhere(folder, orphaned(`sh -c 'echo $$ > id; exec sleep 30'`))
    orphans.push(idIn(folder))
    expect(foundIn(folder, idIn(folder))).toMatchObject({ isInTheWay: false, listensOn: [] })
    put(folder, { 'daemon.cjs': server })
    elsewhere(folder, orphaned(`${process.execPath} daemon.cjs up ${folder}/socket`, 'up'))
    expect(foundIn(folder, serverIn(folder).id)).toMatchObject({ isInTheWay: false, listensOn: [] })
  })

  it('is ended where an earlier process of donecheck had started it', () => {
    const folder = newFolder()
    const { id } = startServer(folder, folder, `ulimit -w ${2 ** 50} 2>/dev/null || ulimit -x ${2 ** 50}; `)
    expect(foundIn(folder, id)).toMatchObject({ isMarked: true, isInTheWay: false })
  })

  it('is none of ours where it is older than the run, or works elsewhere', () => {
    const [folder, other] = [newFolder(), newFolder()]
    const { id } = startServer(other, other)
    expect(foundIn(folder, id)).toBeUndefined()
    expect(foundIn(other, id, Date.now() + 3_600_000)).toBeUndefined()
  })
})

describe.skipIf(!hasTable)('given programs of the user (needs the process table of Linux)', () => {
  it('says nothing of a program that another one started which ran before', async () => {
    const folder = newFolder()
    put(folder, { 'server.cjs': server })
    const line = `read -r _; setsid ${process.execPath} server.cjs up & wait`
    const supervisor = spawn('sh', ['-c', `echo up; ${line}`], { cwd: folder, detached: true })
    children.push(supervisor)
    await once(supervisor.stdout, 'data')
    const sinceMs = Date.now()
    supervisor.stdin.write('go\n')
    while (!existsSync(join(folder, 'up')) || readFileSync(join(folder, 'up'), 'utf8') === '')
      await new Promise(setImmediate)
    expect(foundIn(folder, serverIn(folder).id, sinceMs)).toBeUndefined()
  })

  it('says nothing of the other programs of its own pipe', () => {
    const folder = newFolder()
    const module = join(import.meta.dirname, 'left-over.ts')
    const program = `import(${JSON.stringify(module)}).then((room) => console.log(JSON.stringify(room.leftOverProcesses(process.cwd(), 0))))`
    put(folder, { 'look.mjs': program })
    const line = `cat | ${process.execPath} look.mjs | tee log | cat`
    const said = execFileSync('sh', ['-c', line], { cwd: folder, input: '' }).toString()
    expect(JSON.parse(said)).toEqual([])
  })
})
