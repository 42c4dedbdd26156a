import { type CommandWords, hasOption, type Operand } from '../../../analysis/shell/index.ts'
import { given } from '../../../base/index.ts'
import { absolutePath, isDisk, isOutside, isRoot, isVital, isWithin } from './file-location.ts'
import type { BuiltInRule, CommandLocation } from './file-location.ts'

type Finds = NonNullable<BuiltInRule['finds']>

interface Row {
  readonly behind?: string
  readonly options?: string
  readonly finds?: Finds
  /** Words known only at run time do not match. */
  readonly isLiteral?: true
}

function rule(
  severity: BuiltInRule['severity'],
  name: string,
  programs: string,
  justification: string,
  { behind, options, finds, isLiteral }: Row = {},
): BuiltInRule {
  const withOption: Finds | undefined =
    options === undefined
      ? finds
      : (command, place) => hasOption(command, ...options.split(' ')) && (finds?.(command, place) ?? true)
  return {
    ...{ name, severity, justification, programs: programs.split(' ') },
    ...given({ subcommands: behind?.split(', '), finds: withOption, onlyLiteral: isLiteral }),
  }
}

const asked = (name: string, programs: string, justification: string, row?: Row) =>
  rule('dangerous', name, programs, justification, row)

const hasWord =
  (pattern: RegExp): Finds =>
  (command) =>
    command.words.slice(1).some(({ text }) => pattern.test(text ?? ''))
const isDeep = (command: CommandWords) =>
  command.program !== 'rm' || hasOption(command, '-r', '-R', '--recursive')
const isLiteral = { isLiteral: true } as const

/** See `isSpared`. */
export const forcedRemoval = asked(
  'forced removal',
  'rm srm',
  'what is removed by force cannot be had back; remove single files, or leave them',
  { options: '-f --force' },
)

const losesWork = 'work that was not committed is lost; commit it, or put it aside with git stash'
const hooksAreChecks = 'the hooks of the project are part of its checks'
const lost = 'what could still be had back is lost'
const beyond = 'it changes the machine, not the project'
const wholeDisk = 'all that is on the disk is lost'
const published = 'what is published cannot be taken back'
const noData = 'data cannot be had back'
const gone = 'it is gone for everybody who uses it'

export const commandRules: readonly BuiltInRule[] = [
  rule('forbidden', 'removal of everything', 'rm rimraf srm', 'it removes the system or the home folder', {
    ...isLiteral,
    finds: (command, place) =>
      hasOption(command, '--no-preserve-root') ||
      (isDeep(command) && command.operands.some((operand) => isRoot(operand, place))),
  }),
  forcedRemoval,
  asked(
    'recursive removal',
    'rm rimraf srm',
    'it removes the work folder, what is above it, or its history',
    {
      finds: (command, place) =>
        isDeep(command) && command.operands.some((operand) => isVital(operand, place)),
    },
  ),
  asked(
    'removal of what is found',
    'find gfind fd fdfind',
    'list what is found first, and remove single files',
    { options: '-delete' },
  ),
  asked('mirroring with removal', 'rsync rclone', 'it removes what the other side does not have', {
    ...isLiteral,
    finds: ({ options, program, words }) =>
      options.some((option) => /^--(?:del|delete.*|remove-source-files)$/u.test(option)) ||
      (program === 'rclone' && /^(?:sync|delete|purge)$/u.test(words[1]?.text ?? '')),
  }),
  asked('overwriting of files', 'shred truncate wipe', 'the content cannot be had back'),

  asked('forced push', 'git', 'it rewrites or removes what others have; push without force', {
    behind: 'push',
    finds: (command) =>
      hasOption(
        command,
        ...'--force -f --force-with-lease --force-if-includes --mirror --delete -d --prune'.split(' '),
      ) || command.operands.some(({ text }) => /^[+:]/u.test(text ?? '')),
  }),
  asked('hard reset', 'git', losesWork, { behind: 'reset', options: '--hard' }),
  asked('removal of untracked files', 'git', 'untracked files cannot be had back', {
    behind: 'clean',
    options: '-f --force',
    finds: (command) => !hasOption(command, '-n', '--dry-run'),
  }),
  asked('discarding of changes', 'git', losesWork, {
    behind: 'checkout, restore, switch',
    finds: discardsChanges,
  }),
  asked('overwriting of the work tree', 'git', losesWork, {
    behind: 'read-tree, checkout-index',
    options: '--reset -f --force',
  }),
  asked('removal of a branch', 'git', 'commits that are on no other branch are lost', {
    behind: 'branch',
    finds: (command) =>
      hasOption(command, '-D') ||
      (hasOption(command, '-d', '--delete') && hasOption(command, '-f', '--force')),
  }),
  asked('removal of stashes', 'git', 'what was put aside is lost', { behind: 'stash drop, stash clear' }),
  asked('rewriting of history', 'git', 'commits are lost for good', {
    behind: 'filter-branch, filter-repo, reflog expire, reflog delete',
  }),
  asked('removal of a reference', 'git', 'what it names is lost', {
    behind: 'update-ref',
    options: '-d --stdin',
  }),
  asked('pruning', 'git', lost, { behind: 'prune', finds: (command) => !hasOption(command, '-n') }),
  asked('pruning by collection', 'git', lost, { behind: 'gc', options: '--prune' }),
  asked('forced removal from the index', 'git', losesWork, {
    behind: 'rm, worktree remove, submodule deinit',
    options: '-f --force',
  }),
  asked('settings for all projects', 'git', 'it changes git beyond this project', {
    ...{ behind: 'config', options: '--global --system', isLiteral: true },
    finds: (command) => !hasOption(command, '--get', '--list', '-l'),
  }),
  asked('commit without hooks', 'git', hooksAreChecks, {
    ...{ behind: 'commit', isLiteral: true },
    // `-n` is harmless elsewhere.
    finds: (command, place) =>
      hasOption(command, '--no-verify') || hasWord(/^-[aqsv]*n[aqsv]*m?$/u)(command, place),
  }),
  asked('push or merge without hooks', 'git', hooksAreChecks, {
    behind: 'push, merge, am',
    options: '--no-verify',
    isLiteral: true,
  }),
  asked('removal on the server', 'gh glab', 'it is gone for everybody', {
    ...isLiteral,
    finds: hasWord(/^(?:delete|archive|(?:-X|--method=)?DELETE)$/u),
  }),

  rule('forbidden', 'making of a file system', 'mkfs mkfs.* mke2fs newfs blkdiscard wipefs', wholeDisk),
  rule('forbidden', 'overwriting of a disk', 'dd', wholeDisk, {
    ...isLiteral,
    finds: ({ operands }) =>
      operands.some(({ written }) => written.startsWith('of=') && isDisk(written.slice(3))),
  }),
  asked('raw writing', 'dd', 'dd overwrites without asking', {
    finds: ({ operands }) => operands.some(({ written }) => /^of=(?!\/dev\/(?:null|stdout)$)/u.test(written)),
  }),
  asked(
    'change of partitions',
    'fdisk sfdisk cfdisk gdisk sgdisk parted mkswap cryptsetup diskutil',
    'all that is on the disk may be lost',
  ),
  asked('permissions outside of the work folder', 'chmod chown chgrp setfacl', beyond, {
    ...isLiteral,
    finds: ({ operands }, place) => operands.slice(1).some((operand) => isOutside(operand, place)),
  }),
  asked('end of the machine', 'shutdown reboot halt poweroff telinit init', beyond),
  asked('end of all processes', 'kill', 'it ends processes that are not yours', {
    ...isLiteral,
    finds: ({ words }) =>
      words.slice(1).some(({ text }, index) => text === '-1' && (index > 0 || words.length === 2)),
  }),
  asked(
    'end of processes by name',
    'pkill killall killall5 skill',
    'it may end processes that are not yours; end them by their id',
  ),
  asked('services of the machine', 'systemctl service launchctl update-rc.d chkconfig', beyond, {
    ...isLiteral,
    finds: (command, place) =>
      !hasWord(/^(?:status|show|cat|list|list-.*|is-.*|get-default|--version|--help|--status-all)$/u)(
        command,
        place,
      ),
  }),
  asked('commands for later', 'crontab at batch', 'what runs later is watched by nobody', {
    ...isLiteral,
    finds: (command) => !hasOption(command, '-l'),
  }),
  asked(
    'accounts and devices of the machine',
    'useradd userdel usermod groupadd groupdel passwd chpasswd visudo mount umount insmod rmmod modprobe iptables nft ufw sysctl swapoff',
    beyond,
    { ...isLiteral, finds: ({ program, words }) => !(program === 'mount' && words.length === 1) },
  ),

  asked(
    'publishing of a package',
    'npm pnpm yarn bun cargo poetry uv hatch flit lerna dart vsce',
    published,
    {
      behind: 'publish, unpublish, deprecate, npm publish, yank',
      finds: (command) => !hasOption(command, '--dry-run'),
    },
  ),
  asked('upload of a package', 'twine gem nuget helm docker podman mvn pod', published, {
    behind: 'upload, push, yank, deploy, trunk push',
    isLiteral: true,
  }),
  asked(
    'container with the machine in it',
    'docker podman nerdctl docker-compose podman-compose',
    'it reaches all files and processes of the machine; give it the folder that it needs',
    {
      ...isLiteral,
      finds: ({ words }) =>
        words.some((word, index) => opensMachine(word.text, words[index - 1]?.text ?? null)),
    },
  ),
  asked(
    'removal of containers, images or volumes',
    'docker podman nerdctl',
    'data in volumes cannot be had back',
    {
      behind:
        'system prune, volume prune, volume rm, image prune, container prune, builder prune, network prune',
      isLiteral: true,
    },
  ),
  asked('removal of composed volumes', 'docker podman docker-compose', 'data in volumes cannot be had back', {
    ...{ behind: 'compose down, down', options: '-v --volumes --rmi', isLiteral: true },
  }),
  asked('removal from a cluster', 'kubectl oc helm helmfile k3s kind minikube', gone, {
    behind: 'delete, drain, replace, uninstall, destroy, kubectl delete',
  }),
  asked(
    'destruction of infrastructure',
    'terraform tofu terragrunt pulumi cdk sst vagrant fly flyctl serverless',
    gone,
    { behind: 'destroy, state rm, remove, stack rm, apps destroy, run-all destroy' },
  ),
  asked('infrastructure without a question', 'terraform tofu terragrunt pulumi', 'nobody looks at the plan', {
    ...{ behind: 'apply, up', isLiteral: true },
    finds: ({ options }) =>
      options.some((option) => /^(?:--?auto-approve|--?destroy|--yes|-y)$/u.test(option)),
  }),
  asked('removal from a cloud', 'aws gcloud gsutil az doctl hcloud linode-cli heroku s3cmd mc', gone, {
    ...isLiteral,
    finds: hasWord(/^(?:(?:apps:)?(?:delete|destroy|terminate|purge)(?:-.*)?|rm|rb|del)$/u),
  }),
  asked(
    'removal from a database',
    'psql mysql mariadb sqlite3 mongo mongosh redis-cli sqlcmd clickhouse bq',
    noData,
    {
      ...isLiteral,
      finds: ({ words, input = '' }) =>
        [...words.slice(1).map(({ text, written }) => text ?? written), input].some((text) =>
          destroysData.test(text),
        ),
    },
  ),
  asked('removal of a database', 'dropdb dropuser mysqladmin', noData, {
    ...isLiteral,
    finds: ({ program, words }) => program !== 'mysqladmin' || words.some(({ text }) => text === 'drop'),
  }),
]

/** `-f`, or the full tree by `.`, `:/`, `*` or `:!x`, if more than the index is affected. */
function discardsChanges(command: CommandWords, place: CommandLocation): boolean {
  const isOnlyStaged = hasOption(command, '--staged', '-S') && !hasOption(command, '--worktree', '-W')
  return (
    hasOption(command, '-f', '--force', '--discard-changes') ||
    (!isOnlyStaged && command.operands.some((operand) => isWholeTree(operand, place)))
  )
}

function isWholeTree({ written }: Operand, place: CommandLocation): boolean {
  const path = written.replace(/^:(?:\([^)]*\)|\/)/u, '')
  if (/^:[!^]/u.test(written) || /(?:^|,)exclude\b/u.test(/^:\(([^)]*)\)/u.exec(written)?.[1] ?? ''))
    return true
  if (path !== written && path === '') return true
  if (/^(?:\.{1,2}\/+)*(?:\.{1,2}|\**)$/u.test(path)) return true
  // A name may be a branch, so only explicit paths count.
  return /^[./~]/u.test(path) && isWithin(place.workFolder, absolutePath(path, place))
}

/** Best effort for SQL, MongoDB and Redis. */
const destroysData =
  /\b(?:drop\s+(?:table|database|schema|view|index|role|user|column)|truncate\s+(?:table\s+)?\w|delete\s+from\s+[\w."`]+\s*(?:;|$)|drop(?:Database|Collection)?\(|deleteMany\(\s*\{\s*\}|flush(?:all|db))/iu

/** Mounts the root or system folders, the engine socket, or has machine privileges. */
function opensMachine(text: string | null, before: string | null): boolean {
  if (text === null) return false
  if (/^--(?:privileged|(?:pid|ipc|userns|uts)=host|cap-add=(?:all|sys_\w+))\b/iu.test(text)) return true
  if (/^--(?:pid|ipc|userns|uts)$/u.test(before ?? '') && text === 'host') return true
  const mounted = /^(?:-v|--volume=?|--mount=?)?(?:.*?(?:source|src)=)?(?<path>\/[^:,]*)/u.exec(text)
    ?.groups?.['path']
  const isMount = /^(?:-v|--volume|--mount)/u.test(text) || /^(?:-v|--volume|--mount)$/u.test(before ?? '')
  return (
    isMount &&
    mounted !== undefined &&
    /^\/(?:(?:etc|boot|dev|proc|sys|root|var|usr|home|users)\/?)?$|docker\.sock$/iu.test(mounted)
  )
}
