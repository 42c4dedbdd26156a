import { dirname } from 'node:path'
import type { PatchCheck, PatchChecker } from '../../ports.ts'
import { runProcess, showExcerpt } from '../../process/index.ts'
import { gitEnvironment, GitProblem } from './git-program.ts'

const longestAnswerBytes = 16 * 1024 * 1024

/**
 * Asks `git apply --check`, outside of any repository: no setting, filter or hook of the tree is used, and no path of the
 * patch may lead out of the folder. Context lines must stand there exactly. Takes unified diffs with paths `a/…` and `b/…`;
 * a renamed file is named as it would be afterwards.
 *
 * `check` rejects with {@link GitProblem} where git cannot be asked.
 */
export function gitPatchChecker(): PatchChecker {
  return {
    async check(patch, workFolder, signal) {
      const { end, stdout, output } = await runProcess({
        command: { words: ['git', '--no-pager', 'apply', '--check', '--numstat', '-z', '-'] },
        folder: workFolder,
        environment: {
          ...gitEnvironment(),
          // Below a repository git would leave out, in silence, whatever lies outside of the folder.
          GIT_DIR: '/dev/null',
          GIT_CEILING_DIRECTORIES: dirname(workFolder),
          GIT_CONFIG_COUNT: '2',
          GIT_CONFIG_KEY_0: 'apply.whitespace',
          GIT_CONFIG_VALUE_0: 'nowarn',
          GIT_CONFIG_KEY_1: 'apply.ignoreWhitespace',
          GIT_CONFIG_VALUE_1: 'no',
        },
        stdin: patch.endsWith('\n') ? patch : `${patch}\n`,
        timeoutMs: null,
        signal,
        headBytes: longestAnswerBytes,
        tailBytes: 0,
        keepBytes: 0,
      })
      if (end.kind === 'not-started') throw new GitProblem(`git cannot be run: ${end.problem}`)
      if (end.kind !== 'exited') throw new GitProblem('git apply was broken off')
      return end.exitCode === 0
        ? { kind: 'applies', files: filesIn(stdout.head) }
        : refusalOf(showExcerpt(output))
    },
  }
}

function filesIn(answer: string): readonly string[] {
  return answer.split('\0').flatMap((part) => /^\S+\t\S+\t(.+)$/su.exec(part)?.slice(1) ?? [])
}

/** Git says `error: patch failed: FILE:LINE` first, and then what that means. */
function refusalOf(output: string): PatchCheck {
  const lines = output.split('\n').flatMap((line) => /^(?:error|fatal): (.+)$/u.exec(line)?.[1] ?? [])
  const reason = lines.slice(0, 5).join('; ') || 'git refuses it without a word'
  const [, place] = /^patch failed: (.+)$/mu.exec(lines.join('\n')) ?? []
  return { kind: 'does-not-apply', reason, ...(place === undefined ? {} : { place }) }
}
