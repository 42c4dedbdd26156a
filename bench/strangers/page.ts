/** The measurement as a page for people. */
import { projects, type Language } from './projects.ts'
import type { Disagreement, Replay } from './results.ts'

type Cell = string | number

const languages: readonly Language[] = ['JavaScript', 'TypeScript', 'Python', 'Go', 'Rust']

export function pageOf(replays: readonly Replay[]): string {
  const commits = replays.flatMap((replay) => replay.commits)
  return `# Honest work of strangers

Public repositories, and of each the last commits that change tests and source together: the parent is the baseline, and the
commit is the agent's work. Made by \`npm run bench:strangers -- --write FOLDER…\`, where every folder is a
clone of a repository that \`bench/strangers/projects.ts\` has a row for. That row is the oracle: which paths are tests, written by
hand for each repository.

## Which side a file stands on

${commits.length} commits of ${replays.length} repositories. A commit whose check files changed costs a second run of its checks; by
the choice of the commits that is every one of these, since each changes tests. "Elsewhere" is a file that the oracle puts on the other side;
new files of the tests that stand on the source files are counted apart, because no earlier file reads them. "Alarms" are what rules over texts refuse, or hold up for
authority, whatever the tests say. The slowest comparison is measured in time of the processor.

${sides(replays)}

The most frequent reasons: ${frequentReasons(replays)}.

What stands elsewhere:

${elsewhere(replays)}

Alarms:

${alarmed(replays)}
`
}

function sides(replays: readonly Replay[]): string {
  const rows = languages.map((language) =>
    sidesRow(
      language,
      replays.filter(({ name }) => projects.get(name)?.language === language),
    ),
  )
  const head = [
    'language',
    'repositories',
    'commits',
    'second run',
    'files',
    'elsewhere',
    'new tests elsewhere',
    'alarms',
    'slowest',
  ]
  return table(head, [...rows, sidesRow('all', replays)])
}

function sidesRow(title: string, replays: readonly Replay[]): readonly Cell[] {
  const commits = replays.flatMap((replay) => replay.commits)
  const disagreements = replays.flatMap((replay) => replay.disagreements)
  const twice = commits.filter(({ isCheckSideChanged }) => isCheckSideChanged).length
  const earlier = disagreements.filter((one) => !isHarmless(one)).length
  return [
    title,
    replays.length,
    commits.length,
    twice,
    replays.reduce((sum, { files }) => sum + files, 0),
    earlier,
    disagreements.length - earlier,
    replays.reduce((sum, { alarms }) => sum + alarms.length, 0),
    `${Math.max(0, ...commits.map(({ placeMs }) => placeMs))} ms`,
  ]
}

function frequentReasons(replays: readonly Replay[]): string {
  const sums = new Map<string, number>()
  for (const { reasons } of replays)
    for (const [reason, count] of Object.entries(reasons)) sums.set(reason, (sums.get(reason) ?? 0) + count)
  const most = [...sums].toSorted(([, one], [, other]) => other - one).slice(0, 3)
  return most.map(([reason, count]) => `\`${reason}\` (${count} files)`).join(', ')
}

/** A new file of the tests that no earlier file reads. */
function isHarmless({ isEarlier, placed }: Disagreement): boolean {
  return !isEarlier && placed === 'product'
}

/** One line for what one repository shows several times. */
function elsewhere(replays: readonly Replay[]): string {
  const groups = new Map<string, Disagreement[]>()
  for (const { name, disagreements } of replays)
    for (const one of disagreements.filter((each) => !isHarmless(each))) {
      const title = `${name}: ${one.expected} stands as ${one.placed} (${one.reason})`
      groups.set(title, [...(groups.get(title) ?? []), one])
    }
  return listed(
    [...groups].map(([title, [first, ...others]]) => {
      const example = first === undefined ? '' : `: \`${first.path}\` in ${shown(first.commit)}`
      return `${title}${example}${others.length === 0 ? '' : ` and ${others.length} more`}`
    }),
  )
}

function alarmed(replays: readonly Replay[]): string {
  return listed(
    replays.flatMap(({ name, alarms }) =>
      alarms.map(({ path, commit, rule }) => `${name} ${shown(commit)} \`${path}\`: \`${rule}\``),
    ),
  )
}

const shown = (commit: string) => commit.slice(0, 10)
const listed = (lines: readonly string[]) =>
  lines.length === 0 ? 'None.' : lines.map((line) => `- ${line}`).join('\n')

function table(head: readonly Cell[], rows: readonly (readonly Cell[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows]
  return `<!-- prettier-ignore -->\n${lines.map((line) => `| ${line.join(' | ')} |`).join('\n')}`
}
