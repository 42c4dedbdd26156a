/** A repository of a few commits in a temporary folder, for the tests of this bench. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** What each commit writes; null deletes a file. */
export type Commit = Readonly<Record<string, string | null>>

/** The folder ends in `owner/name`, which names the repository. */
export function repositoryOf(commits: readonly Commit[]): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'donecheck-strangers-test-')), 'owner', 'name')
  mkdirSync(folder, { recursive: true })
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { stdio: 'pipe' })
  git('init', '-q')
  for (const [index, commit] of commits.entries()) {
    for (const [path, text] of Object.entries(commit)) write(join(folder, path), text)
    git('add', '-A')
    const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'commit.gpgSign=false']
    git(...who, 'commit', '-q', '--no-verify', '--allow-empty', '-m', `commit ${index}`)
  }
  return folder
}

function write(file: string, text: string | null): void {
  if (text === null) rmSync(file)
  else {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}
