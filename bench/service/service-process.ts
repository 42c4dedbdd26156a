/** The service in a process of its own, as a user starts it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const program = join(import.meta.dirname, '../../packages/donecheck/bin/donecheck.js')
const token = 'a-token-of-a-benchmark-that-is-long-enough'
const announced = z.object({ url: z.string() })

export interface ServiceProcess {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** @throws {Error} for what is no answer */
  get(path: string): Promise<unknown>
  post(path: string, body: object): Promise<unknown>
  /** What it holds in memory. */
  megabytes(): Promise<number>
  stop(): Promise<void>
}

export async function startService(home: string, project: string, store: string): Promise<ServiceProcess> {
  const tokenFile = join(home, 'tokens.json')
  const users = [{ name: 'bench', token, roles: ['read', 'run', 'approve'] }]
  await writeFile(tokenFile, JSON.stringify({ users }), { mode: 0o600 })
  const words = ['serve', '--listen', '127.0.0.1:0', '--token-file', tokenFile, '--json']
  const places = ['--store', store, '--workdir', project]
  const child = spawn(process.execPath, [program, ...words, ...places], {
    env: { ...process.env, HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
  const { url } = announced.parse(JSON.parse(line))
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const ask = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const answer = await fetch(`${url}${path}`, { ...init, headers })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  return {
    url,
    headers,
    get: (path) => ask(path),
    post: (path, body) => ask(path, { method: 'POST', body: JSON.stringify(body) }),
    megabytes: async () => {
      const status = await readFile(`/proc/${child.pid ?? 0}/status`, 'utf8')
      return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024)
    },
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGINT')
      await ended
    },
  }
}
