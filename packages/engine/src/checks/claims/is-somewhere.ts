import { readdir } from 'node:fs/promises'

/** A tree with more entries is not looked through. */
const maxEntries = 20_000

/**
 * Whether the folder holds a file of that path anywhere: whoever names a file may leave out the folders above it.
 * @returns `unknown` where not all of it could be looked through
 */
export async function isSomewhere(
  folder: string,
  path: string,
  signal: AbortSignal,
): Promise<'there' | 'nowhere' | 'unknown'> {
  const waiting = ['']
  let seen = 0
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop()) {
    const entries = await readdir(`${folder}/${below}`, { withFileTypes: true }).catch(() => undefined)
    if (entries === undefined || signal.aborted) return 'unknown'
    seen += entries.length
    if (seen > maxEntries) return 'unknown'
    for (const entry of entries) {
      const inside = below === '' ? entry.name : `${below}/${entry.name}`
      if (`/${inside}`.endsWith(`/${path}`)) return 'there'
      // What a link leads to is not known from here.
      if (entry.isSymbolicLink() && path.includes(`${entry.name}/`)) return 'unknown'
      if (entry.isDirectory() && entry.name !== '.git' && entry.name !== 'node_modules') waiting.push(inside)
    }
  }
  return 'nowhere'
}
