/**
 * `npm run bench:strangers -- [--commits N] FOLDER…`: the honest work of strangers. Every folder is a clone, or
 * a bare git folder, of a repository of `projects.ts`. What was found is kept in `--results`, and `--write` makes the page of it.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openRepository } from './git.ts'
import { pageOf } from './page.ts'
import { projects } from './projects.ts'
import { replay } from './replay.ts'
import { replaySchema, type Replay } from './results.ts'

const page = fileURLToPath(new URL('../../docs/measured/strangers.md', import.meta.url))
const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    commits: { type: 'string', default: '60' },
    results: { type: 'string', default: join(tmpdir(), 'donecheck-strangers', 'results') },
    write: { type: 'boolean', default: false },
  },
})
const limit = Number(values.commits)
mkdirSync(values.results, { recursive: true })

for (const folder of folders) {
  const repository = openRepository(folder)
  const project = projects.get(repository.name)
  if (project === undefined) console.log(`${repository.name}: no row in projects.ts`)
  else keep(project.name, told(replay(repository, project, limit)))
}
if (values.write) writeFileSync(page, pageOf(measured()))

function told(found: Replay): Replay {
  const { name, commits, files, disagreements, alarms } = found
  const slowestMs = Math.max(0, ...commits.map(({ placeMs }) => placeMs))
  const wrong = disagreements.length
  console.log(
    `\n${name}: ${commits.length} commits, ${files} files, slowest ${slowestMs} ms, ${wrong} elsewhere, ${alarms.length} alarms`,
  )
  for (const { path, commit, expected, placed, reason, isEarlier } of disagreements)
    console.log(
      `  ${expected} → ${placed} (${reason})${isEarlier ? '' : ' new'}: ${path} in ${commit.slice(0, 10)}`,
    )
  for (const { path, commit, rule, message } of alarms)
    console.log(`  ${rule}: ${path} in ${commit.slice(0, 10)}: ${message}`)
  return found
}

function keep(name: string, found: Replay): void {
  writeFileSync(join(values.results, `${name.replace('/', '+')}.json`), JSON.stringify(found, null, 1))
}

function measured(): readonly Replay[] {
  return readdirSync(values.results)
    .toSorted()
    .map((name) => replaySchema.parse(JSON.parse(readFileSync(join(values.results, name), 'utf8'))))
}
