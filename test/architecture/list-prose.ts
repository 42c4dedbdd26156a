/** `node test/architecture/list-prose.ts [PATH…] [--write]`: what the gate of the voice finds, and the list of what it allows. */
import { writeFileSync } from 'node:fs'
import { listProseHits, readAllowedHits } from './prose.ts'
import { readTree } from './read-tree.ts'

const paths = process.argv.slice(2).filter((argument) => argument !== '--write')
const hits = listProseHits(readTree())
if (process.argv.includes('--write')) {
  const before = readAllowedHits()
  const counts = Map.groupBy(hits, ({ where }) => where)
  // A file that is not in the list starts at 0, and no number grows.
  const lowered = [...counts]
    .map(([where, inFile]) => [where, Math.min(inFile.length, before[where] ?? 0)] as const)
    .filter(([, count]) => count > 0)
  writeFileSync(
    new URL('./prose-allowed.json', import.meta.url),
    `${JSON.stringify(Object.fromEntries(lowered), null, 2)}\n`,
  )
} else {
  const wanted = hits.filter(
    ({ where }) => paths.length === 0 || paths.some((path) => where.startsWith(path)),
  )
  for (const { where, line, id, text } of wanted)
    console.log(`${where}:${line}: ${id}: ${text.slice(0, 160)}`)
}
