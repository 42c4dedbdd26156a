/** Which process a transaction belongs to, as a part of a folder's name, and whether that one still lives. */
import { Buffer } from 'node:buffer'
import { threadId } from 'node:worker_threads'
import { z } from 'zod'
import { isAlive, thisHolder } from '../../process/index.ts'

/** Host, process, its start, thread: short, since it has to fit into a name. */
const ownerSchema = z.tuple([z.string(), z.int(), z.string().nullable(), z.int()])

let known: string | undefined

/** The one that runs this: as long as it lives it is the same. Without dots and slashes. */
export function thisOwner(): string {
  return (known ??= lookedUp())
}

function lookedUp(): string {
  const { host, processId, processStart } = thisHolder('a change of files')
  const owner: z.infer<typeof ownerSchema> = [host, processId, processStart, threadId]
  return Buffer.from(JSON.stringify(owner)).toString('base64url')
}

/** `unknown`: it ran on another machine, in another container, or it cannot be read. */
export function lifeOf(owner: string): 'alive' | 'dead' | 'unknown' {
  const parsed = ownerSchema.safeParse(parseJson(Buffer.from(owner, 'base64url').toString()))
  if (!parsed.success) return 'unknown'
  const [host, processId, processStart] = parsed.data
  return isAlive({ host, processId, processStart, purpose: '' })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
