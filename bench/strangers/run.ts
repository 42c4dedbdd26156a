/**
 * `npm run bench:strangers -- replay|experiment [--commits N] FOLDER…`: the honest work of strangers. Every folder is a clone, or
 * a bare git folder, of a repository of `projects.ts`. What was found is kept in `--results`, and `--write` makes the page of it.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { experimentOn } from './experiment.ts'
import { openRepository } from './git.ts'
import { pageOf, type Measured } from './page.ts'
import { projects } from './projects.ts'
import { replay } from './replay.ts'
import { experimentSchema, replaySchema, type ExperimentedCommit, type Replay } from './results.ts'

const page = fileURLToPath(new URL('../../docs/measured/strangers.md', import.meta.url))
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    commits: { type: 'string', default: '60' },
    results: { type: 'string', default: join(tmpdir(), 'donecheck-strangers', 'results') },
    write: { type: 'boolean', default: false },
  },
})
const [what, ...folders] = positionals
const limit = Number(values.commits)
mkdirSync(values.results, { recursive: true })

for (const folder of folders) {
  const repository = openRepository(folder)
  const project = projects.get(repository.name)
  if (project === undefined) console.log(`${repository.name}: no row in projects.ts`)
  else if (what === 'replay') keep(project.name, 'replay', told(replay(repository, project, limit)))
  else if (project.experiment !== undefined) {
    console.log(`\n${project.name}: ${project.experiment.command}`)
    const commits = await experimentOn(repository, project, project.experiment, limit, tellCommit)
    keep(project.name, 'experiment', { name: project.name, commits })
  }
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

function tellCommit({ commit, subject, answer, isAsked, isNeeded, isRunTwice }: ExperimentedCommit): void {
  const flags = [isRunTwice && 'twice', isAsked && 'asked', isNeeded && 'needed'].filter(Boolean)
  console.log(`  ${answer.padEnd(13)} ${commit.slice(0, 10)} ${flags.join(' ')} | ${subject}`)
}

function keep(name: string, kind: string, found: object): void {
  writeFileSync(
    join(values.results, `${name.replace('/', '+')}.${kind}.json`),
    JSON.stringify(found, null, 1),
  )
}

function measured(): Measured {
  const names = readdirSync(values.results).toSorted()
  const read = (kind: string): readonly unknown[] =>
    names
      .filter((name) => name.endsWith(`.${kind}.json`))
      .map((name): unknown => JSON.parse(readFileSync(join(values.results, name), 'utf8')))
  return {
    replays: read('replay').map((text) => replaySchema.parse(text)),
    experiments: read('experiment').map((text) => experimentSchema.parse(text)),
  }
}
