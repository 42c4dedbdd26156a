/** Rules as a careful person would keep them, in the format of the reference program, so that both read the same file. */

const programs = [
  ['git', ['status', 'diff', 'log', 'show', 'branch', 'add', 'commit', 'fetch', 'pull', 'push']],
  ['npm', ['test', 'ci', 'install', 'run', 'publish', 'audit', 'view', 'exec', 'link', 'login']],
  ['npx', ['tsc', 'vitest', 'eslint', 'prettier', 'playwright', 'knex', 'wrangler', 'vercel', 'nx', 'tsx']],
  ['docker', ['run', 'build', 'ps', 'logs', 'push', 'login', 'rm', 'rmi', 'volume', 'system']],
  ['kubectl', ['get', 'describe', 'logs', 'apply', 'delete', 'exec', 'scale', 'drain', 'cordon', 'edit']],
  ['terraform', ['plan', 'apply', 'destroy', 'init', 'import', 'state', 'taint', 'output', 'fmt', 'show']],
  ['gh', ['pr', 'issue', 'release', 'repo', 'secret', 'workflow', 'run', 'api', 'auth', 'gist']],
  ['aws', ['s3', 'ec2', 'iam', 'lambda', 'logs', 'rds', 'sts', 'ssm', 'eks', 'kms']],
  ['cargo', ['build', 'test', 'run', 'publish', 'install', 'clippy', 'fmt', 'bench', 'doc', 'yank']],
  ['go', ['build', 'test', 'run', 'vet', 'install', 'get', 'mod', 'generate', 'fmt', 'clean']],
  ['pip', ['install', 'list', 'show', 'freeze', 'download', 'uninstall', 'config', 'cache', 'check', 'hash']],
  [
    'systemctl',
    ['status', 'start', 'stop', 'restart', 'enable', 'disable', 'mask', 'edit', 'kill', 'reboot'],
  ],
  [
    'brew',
    ['install', 'list', 'info', 'upgrade', 'uninstall', 'search', 'update', 'link', 'tap', 'services'],
  ],
  ['make', ['all', 'test', 'clean', 'install', 'lint', 'build', 'dist', 'release', 'deploy', 'docs']],
  [
    'apt-get',
    ['install', 'update', 'remove', 'purge', 'upgrade', 'clean', 'source', 'check', 'download', 'autoremove'],
  ],
] as const

/** Alone, by their first word. */
const alone = [
  'ls cat head tail wc sort uniq cut tr grep rg find sed awk jq tee xargs echo printf date',
  'ps kill curl wget ssh scp rsync tar zip unzip gzip node python3 ruby perl java mvn gradle',
  'psql mysql redis-cli sqlite3 mongosh dd mkfs mount umount chmod chown crontab',
].flatMap((line) => line.split(' '))

const decisions = ['allow', 'prompt', 'forbidden'] as const

export const ruleCount = programs.reduce((sum, [, words]) => sum + words.length, 0) + 50

/** A text of `ruleCount` rules; a third each is allowed, asked for and forbidden. */
export function ruleFile(): string {
  const prefixes = [
    ...programs.flatMap(([program, words]) => words.map((word) => [program, word])),
    ...alone.slice(0, 50).map((program) => [program]),
  ]
  return prefixes
    .map((prefix, index) => {
      const decision = decisions[index % decisions.length] ?? 'prompt'
      const why = index % 4 === 0 ? ', justification="ask the person who owns it"' : ''
      return `prefix_rule(pattern=${JSON.stringify(prefix)}, decision="${decision}"${why})\n`
    })
    .join('')
}
