import { type CommandWords, hasOption, type Operand } from '../../../analysis/shell/index.ts'
import { given } from '../../../base/index.ts'
import { absolutePath, isDisk, isOutside, isRoot, isVital, isWithin } from './file-location.ts'
import { type BuiltInRule, type CommandLocation, dangerous } from './file-location.ts'

/** See `isSpared`. */
export const forcedRemoval: BuiltInRule = {
  name: 'forced removal',
  severity: 'dangerous',
  justification: 'what is removed by force cannot be had back; remove single files, or leave them',
  programs: ['rm', 'srm'],
  finds: (command) => hasOption(command, '-f', '--force'),
}

/** Files that cannot be had back. */
export const removal: readonly BuiltInRule[] = [
  {
    name: 'removal of everything',
    severity: 'forbidden',
    justification: 'it removes the system or the home folder',
    programs: ['rm', 'rimraf', 'srm'],
    finds: (command, place) =>
      hasOption(command, '--no-preserve-root') ||
      ((command.program !== 'rm' || hasOption(command, '-r', '-R', '--recursive')) &&
        command.operands.some((operand) => isRoot(operand, place))),
    onlyLiteral: true,
  },
  forcedRemoval,
  ...dangerous([
    {
      name: 'recursive removal',
      justification: 'it removes the work folder, what is above it, or its history',
      programs: ['rm', 'rimraf', 'srm'],
      finds: (command, place) =>
        (command.program !== 'rm' || hasOption(command, '-r', '-R', '--recursive')) &&
        command.operands.some((operand) => isVital(operand, place)),
    },
    {
      name: 'removal of what is found',
      justification: 'list what is found first, and remove single files',
      programs: ['find', 'gfind', 'fd', 'fdfind'],
      finds: (command) => hasOption(command, '-delete'),
    },
    {
      name: 'mirroring with removal',
      justification: 'it removes what the other side does not have',
      programs: ['rsync', 'rclone'],
      finds: ({ options, program, words }) =>
        options.some((option) => /^--(?:del|delete.*|remove-source-files)$/u.test(option)) ||
        (program === 'rclone' && /^(?:sync|delete|purge)$/u.test(words[1]?.text ?? '')),
      onlyLiteral: true,
    },
    {
      name: 'overwriting of files',
      justification: 'the content cannot be had back',
      programs: ['shred', 'truncate', 'wipe'],
    },
  ]),
]

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

const beyond = 'it changes the machine, not the project'

export const machine: readonly BuiltInRule[] = [
  {
    name: 'making of a file system',
    severity: 'forbidden',
    justification: 'all that is on the disk is lost',
    programs: ['mkfs', 'mkfs.*', 'mke2fs', 'newfs', 'blkdiscard', 'wipefs'],
  },
  {
    name: 'overwriting of a disk',
    severity: 'forbidden',
    justification: 'all that is on the disk is lost',
    programs: ['dd'],
    finds: ({ operands }) =>
      operands.some(({ written }) => written.startsWith('of=') && isDisk(written.slice(3))),
    onlyLiteral: true,
  },
  ...dangerous([
    {
      name: 'raw writing',
      justification: 'dd overwrites without asking',
      programs: ['dd'],
      finds: ({ operands }) =>
        operands.some(
          ({ written }) => written.startsWith('of=') && !/^of=\/dev\/(?:null|stdout)$/u.test(written),
        ),
    },
    {
      name: 'change of partitions',
      justification: 'all that is on the disk may be lost',
      programs: [
        'fdisk',
        'sfdisk',
        'cfdisk',
        'gdisk',
        'sgdisk',
        'parted',
        'mkswap',
        'cryptsetup',
        'diskutil',
      ],
    },
    {
      name: 'permissions outside of the work folder',
      justification: beyond,
      programs: ['chmod', 'chown', 'chgrp', 'setfacl'],
      finds: ({ operands }, place) => operands.slice(1).some((operand) => isOutside(operand, place)),
      onlyLiteral: true,
    },
    {
      name: 'end of the machine',
      justification: beyond,
      programs: ['shutdown', 'reboot', 'halt', 'poweroff', 'telinit', 'init'],
    },
    {
      name: 'end of all processes',
      justification: 'it ends processes that are not yours',
      programs: ['kill'],
      finds: ({ words }) =>
        words.slice(1).some(({ text }, index) => text === '-1' && (index > 0 || words.length === 2)),
      onlyLiteral: true,
    },
    {
      name: 'end of processes by name',
      justification: 'it may end processes that are not yours; end them by their id',
      programs: ['pkill', 'killall', 'killall5', 'skill'],
    },
    {
      name: 'services of the machine',
      justification: beyond,
      programs: ['systemctl', 'service', 'launchctl', 'update-rc.d', 'chkconfig'],
      finds: ({ words }) => !words.slice(1).some(({ text }) => readsServices.test(text ?? '')),
      onlyLiteral: true,
    },
    {
      name: 'commands for later',
      justification: 'what runs later is watched by nobody',
      programs: ['crontab', 'at', 'batch'],
      finds: (command) => !hasOption(command, '-l'),
      onlyLiteral: true,
    },
    {
      name: 'accounts and devices of the machine',
      justification: beyond,
      programs: [
        ...['useradd', 'userdel', 'usermod', 'groupadd', 'groupdel', 'passwd', 'chpasswd', 'visudo'],
        ...['mount', 'umount', 'insmod', 'rmmod', 'modprobe', 'iptables', 'nft', 'ufw', 'sysctl', 'swapoff'],
      ],
      finds: ({ program, words }) => !(program === 'mount' && words.length === 1),
      onlyLiteral: true,
    },
  ]),
]

const readsServices = /^(?:status|show|cat|list|list-.*|is-.*|get-default|--version|--help|--status-all)$/u
