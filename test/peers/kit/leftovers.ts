/** Processes that outlived a test: daemons that left their group are known by their home. */
import { readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'

export interface Leftover {
  readonly pid: number
  readonly command: string
}

/** Those whose environment names `root`, or that work in it. Where the system does not tell, none. */
export async function leftoversOf(root: string): Promise<readonly Leftover[]> {
  const names = await readdir('/proc').catch(() => [])
  const pids = names.map(Number).filter((pid) => Number.isInteger(pid) && pid !== process.pid)
  const found = await Promise.all(
    pids.map(async (pid) => ((await belongsTo(pid, root)) ? [await describe(pid)] : [])),
  )
  return found.flat()
}

export function killAll(leftovers: readonly Leftover[]): void {
  for (const { pid } of leftovers) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It is gone.
    }
  }
}

async function belongsTo(pid: number, root: string): Promise<boolean> {
  const place = join('/proc', String(pid))
  const environment = await readFile(join(place, 'environ'), 'utf8').catch(() => '')
  if (environment.includes(root)) return true
  const folder = await readlink(join(place, 'cwd')).catch(() => '')
  return folder === root || folder.startsWith(`${root}/`)
}

async function describe(pid: number): Promise<Leftover> {
  const line = await readFile(join('/proc', String(pid), 'cmdline'), 'utf8').catch(() => '')
  return { pid, command: line.replaceAll('\0', ' ').trim() }
}
