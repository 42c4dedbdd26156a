/** Version control: what loses work, rewrites what others have, or goes round its hooks. */
import { given } from '../../../base/index.ts'
import { type CommandWords, hasOption, type Operand } from '../../../analysis/shell/index.ts'
import { absolutePath, isWithin } from './file-location.ts'
import { dangerous, type BuiltInRule, type CommandLocation } from './built-in-rule.ts'

const losesWork = 'work that was not committed is lost; commit it, or put it aside with git stash'
const hooksAreChecks = 'the hooks of the project are part of its checks'

function git(
  name: string,
  subcommands: readonly string[],
  justification: string,
  finds?: BuiltInRule['finds'],
  onlyLiteral = false,
): Omit<BuiltInRule, 'severity'> {
  const programs = ['git']
  return {
    name,
    justification,
    programs,
    subcommands,
    ...given({ finds }),
    ...(onlyLiteral && { onlyLiteral }),
  }
}

function has(...options: readonly string[]): BuiltInRule['finds'] {
  return (command) => hasOption(command, ...options)
}

export const history = dangerous([
  git(
    'forced push',
    ['push'],
    'it rewrites or removes what others have; push without force',
    (command) =>
      hasOption(command, '--force', '-f', '--force-with-lease', '--force-if-includes') ||
      hasOption(command, '--mirror', '--delete', '-d', '--prune') ||
      command.operands.some(({ text }) => text?.startsWith('+') === true || text?.startsWith(':') === true),
  ),
  git('hard reset', ['reset'], losesWork, has('--hard')),
  git(
    'removal of untracked files',
    ['clean'],
    'untracked files cannot be had back',
    (command) => hasOption(command, '-f', '--force') && !hasOption(command, '-n', '--dry-run'),
  ),
  git(
    'discarding of changes',
    ['checkout', 'restore', 'switch'],
    losesWork,
    (command, place) =>
      hasOption(command, '-f', '--force', '--discard-changes') ||
      (command.operands.some((operand) => isWholeTree(operand, place)) && !isOnlyStaged(command)),
  ),
  git(
    'overwriting of the work tree',
    ['read-tree', 'checkout-index'],
    losesWork,
    has('--reset', '-f', '--force'),
  ),
  git('removal of a branch', ['branch'], 'commits that are on no other branch are lost', isForcedRemoval),
  git('removal of stashes', ['stash drop', 'stash clear'], 'what was put aside is lost'),
  git(
    'rewriting of history',
    ['filter-branch', 'filter-repo', 'reflog expire', 'reflog delete'],
    'commits are lost for good',
  ),
  git('removal of a reference', ['update-ref'], 'what it names is lost', has('-d', '--stdin')),
  git('pruning', ['prune'], 'what could still be had back is lost', (command) => !hasOption(command, '-n')),
  git('pruning by collection', ['gc'], 'what could still be had back is lost', has('--prune')),
  git(
    'forced removal from the index',
    ['rm', 'worktree remove', 'submodule deinit'],
    losesWork,
    has('-f', '--force'),
  ),
  git(
    'settings for all projects',
    ['config'],
    'it changes git beyond this project',
    (command) => hasOption(command, '--global', '--system') && !hasOption(command, '--get', '--list', '-l'),
    true,
  ),
  git(
    'commit without hooks',
    ['commit'],
    hooksAreChecks,
    (command) => hasOption(command, '--no-verify') || isShortNoVerify(command),
    true,
  ),
  git('push or merge without hooks', ['push', 'merge', 'am'], hooksAreChecks, has('--no-verify'), true),
  {
    name: 'removal on the server',
    justification: 'it is gone for everybody',
    programs: ['gh', 'glab'],
    finds: ({ words }) =>
      words.some(({ text }) => /^(?:delete|archive|(?:-X|--method=)?DELETE)$/u.test(text ?? '')),
    onlyLiteral: true,
  },
])

/** `.`, `:/`, `*`, `:!x`, or the work folder by another name. */
function isWholeTree({ written }: Operand, place: CommandLocation): boolean {
  const path = written.replace(/^:(?:\([^)]*\)|\/)/u, '')
  if (/^:[!^]/u.test(written) || /(?:^|,)exclude\b/u.test(/^:\(([^)]*)\)/u.exec(written)?.[1] ?? ''))
    return true
  if (path !== written && path === '') return true
  if (/^(?:\.{1,2}\/+)*(?:\.{1,2}|\**)$/u.test(path)) return true
  // A name is a branch as well; only what is written as a path is taken for one.
  return /^[./~]/u.test(path) && isWithin(place.workFolder, absolutePath(path, place))
}

function isOnlyStaged(command: CommandWords): boolean {
  return hasOption(command, '--staged', '-S') && !hasOption(command, '--worktree', '-W')
}

function isForcedRemoval(command: CommandWords): boolean {
  return (
    hasOption(command, '-D') || (hasOption(command, '-d', '--delete') && hasOption(command, '-f', '--force'))
  )
}

/** Elsewhere `-n` means something harmless. */
function isShortNoVerify({ words }: CommandWords): boolean {
  return words.some(({ text }) => /^-[aqsv]*n[aqsv]*m?$/u.test(text ?? ''))
}
