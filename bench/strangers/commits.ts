/** Which commits of a repository are asked: those in which somebody changed tests and source together. */
import type { Repository } from './git.ts'
import { expectedSide, type Project } from './projects.ts'

export interface HonestCommit {
  readonly hash: string
  readonly parent: string
  readonly subject: string
  readonly changed: readonly string[]
}

/** A commit of more files is a new layout or a generated list, and says little of one piece of work. */
const maxChangedFiles = 200

/** The last ones, newest first. */
export function honestCommits(
  repository: Repository,
  project: Project,
  limit: number,
): readonly HonestCommit[] {
  return commitsOf(repository)
    .filter((commit) => isHonestWork(commit, project))
    .slice(0, limit)
}

/** All with one parent; `-z` sets paths apart, and a head is told from a path by its hash and its line break. */
function commitsOf({ git }: Repository): readonly HonestCommit[] {
  const log = git(['log', '--no-merges', '--no-renames', '--name-only', '-z', '--format=%x00%H %P%n%s'])
  const commits: (HonestCommit & { changed: string[] })[] = []
  for (const part of log.toString().split('\0')) {
    const head = /^([0-9a-f]{40}) ([0-9a-f]*)\n([^\n]*)$/u.exec(part)
    if (head !== null) {
      const [, hash = '', parent = '', subject = ''] = head
      commits.push({ hash, parent, subject, changed: [] })
    } else if (part.trim() !== '') commits.at(-1)?.changed.push(part.replace(/^\n/u, ''))
  }
  return commits.filter(({ parent }) => parent !== '')
}

function isHonestWork({ changed }: HonestCommit, project: Project): boolean {
  if (changed.length > maxChangedFiles) return false
  const sides = new Set(changed.map((path) => expectedSide(path, project)))
  return sides.has('check') && sides.has('product')
}
