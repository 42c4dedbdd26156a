import { dirname } from 'node:path'
import type { PatchCheck, PatchChecker } from '../../../../ports/checks.ts'
import { runProcess, showExcerpt } from '../../../../system/process/index.ts'
import { offlineGitEnvironment, GitProblem } from './git-program.ts'
import { patchFormatOf, planInFolder } from '../../../../system/files/index.ts'
import { describeProblem, type PatchProblem } from '../../../../analysis/patch/index.ts'
import { given } from '../../../../base/index.ts'

const maxAnswerBytes = 16 * 1024 * 1024

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
          ...offlineGitEnvironment(),
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
        headBytes: maxAnswerBytes,
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
  return { kind: 'does-not-apply', reason, ...given({ place }) }
}

/**
 * Plans a V4A patch (`*** Begin Patch`) in mode `strict` upon the files as they are: every chunk has one place, no path leads
 * out of the folder, and nothing is lost that the patch does not name. Writes nothing.
 */
export function v4aPatchChecker(): PatchChecker {
  return {
    async check(patch, workFolder) {
      const plan = await planInFolder(workFolder, patch, { format: 'v4a' })
      if (plan.kind === 'planned') return { kind: 'applies', files: plan.changes.map(({ path }) => path) }
      return refusalOfPlan(plan.problems)
    },
  }
}

/** Takes a V4A patch or a unified diff, whichever it is given; {@link gitPatchChecker} checks the latter. */
export function anyPatchChecker(): PatchChecker {
  const checkers = { v4a: v4aPatchChecker(), unified: gitPatchChecker() }
  return {
    check: (patch, workFolder, signal) => checkers[patchFormatOf(patch)].check(patch, workFolder, signal),
  }
}

function refusalOfPlan(problems: readonly PatchProblem[]): PatchCheck {
  const [first] = problems
  const line = first?.places?.[0]
  const place = first?.path === undefined ? undefined : `${first.path}${line === undefined ? '' : `:${line}`}`
  const reason = problems.map(describeProblem).join('; ')
  return { kind: 'does-not-apply', reason, ...given({ place }) }
}
