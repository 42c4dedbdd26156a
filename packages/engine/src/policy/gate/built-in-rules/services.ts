/** What is gone or public for everybody: packages, containers, clusters, clouds, databases. */
import { hasOption } from '../../../analysis/shell/index.ts'
import { type BuiltInRule, dangerous } from './file-location.ts'

const gone = 'it is gone for everybody who uses it'

export const services: readonly BuiltInRule[] = dangerous([
  {
    name: 'publishing of a package',
    justification: 'what is published cannot be taken back',
    programs: 'npm pnpm yarn bun cargo poetry uv hatch flit lerna dart vsce'.split(' '),
    subcommands: ['publish', 'unpublish', 'deprecate', 'npm publish', 'yank'],
    finds: (command) => !hasOption(command, '--dry-run'),
  },
  {
    name: 'upload of a package',
    justification: 'what is published cannot be taken back',
    programs: ['twine', 'gem', 'nuget', 'helm', 'docker', 'podman', 'mvn', 'pod'],
    subcommands: ['upload', 'push', 'yank', 'deploy', 'trunk push'],
    onlyLiteral: true,
  },
  {
    name: 'container with the machine in it',
    justification: 'it reaches all files and processes of the machine; give it the folder that it needs',
    programs: ['docker', 'podman', 'nerdctl', 'docker-compose', 'podman-compose'],
    onlyLiteral: true,
    finds: ({ words }) =>
      words.some((word, index) => opensMachine(word.text, words[index - 1]?.text ?? null)),
  },
  {
    name: 'removal of containers, images or volumes',
    justification: 'data in volumes cannot be had back',
    programs: ['docker', 'podman', 'nerdctl'],
    subcommands: [
      ...['system prune', 'volume prune', 'volume rm', 'image prune', 'container prune', 'builder prune'],
      'network prune',
    ],
    onlyLiteral: true,
  },
  {
    name: 'removal of composed volumes',
    justification: 'data in volumes cannot be had back',
    programs: ['docker', 'podman', 'docker-compose'],
    subcommands: ['compose down', 'down'],
    finds: (command) => hasOption(command, '-v', '--volumes', '--rmi'),
    onlyLiteral: true,
  },
  {
    name: 'removal from a cluster',
    justification: gone,
    programs: ['kubectl', 'oc', 'helm', 'helmfile', 'k3s', 'kind', 'minikube'],
    subcommands: ['delete', 'drain', 'replace', 'uninstall', 'destroy', 'kubectl delete'],
  },
  {
    name: 'destruction of infrastructure',
    justification: gone,
    programs: 'terraform tofu terragrunt pulumi cdk sst vagrant fly flyctl serverless'.split(' '),
    subcommands: ['destroy', 'state rm', 'remove', 'stack rm', 'apps destroy', 'run-all destroy'],
  },
  {
    name: 'infrastructure without a question',
    justification: 'nobody looks at the plan',
    programs: ['terraform', 'tofu', 'terragrunt', 'pulumi'],
    subcommands: ['apply', 'up'],
    finds: ({ options }) =>
      options.some((option) => /^(?:--?auto-approve|--?destroy|--yes|-y)$/u.test(option)),
    onlyLiteral: true,
  },
  {
    name: 'removal from a cloud',
    justification: gone,
    programs: ['aws', 'gcloud', 'gsutil', 'az', 'doctl', 'hcloud', 'linode-cli', 'heroku', 's3cmd', 'mc'],
    finds: ({ words }) =>
      words
        .slice(1)
        .some(({ text }) =>
          /^(?:(?:apps:)?(?:delete|destroy|terminate|purge)(?:-.*)?|rm|rb|del)$/u.test(text ?? ''),
        ),
    onlyLiteral: true,
  },
  {
    name: 'removal from a database',
    justification: 'data cannot be had back',
    programs: 'psql mysql mariadb sqlite3 mongo mongosh redis-cli sqlcmd clickhouse bq'.split(' '),
    finds: ({ words, input = '' }) =>
      [...words.slice(1).map(({ text, written }) => text ?? written), input].some((text) =>
        destroysData.test(text),
      ),
    onlyLiteral: true,
  },
  {
    name: 'removal of a database',
    justification: 'data cannot be had back',
    programs: ['dropdb', 'dropuser', 'mysqladmin'],
    finds: ({ program, words }) => program !== 'mysqladmin' || words.some(({ text }) => text === 'drop'),
    onlyLiteral: true,
  },
])

/** Best effort: words of SQL, of MongoDB and of Redis. */
const destroysData =
  /\b(?:drop\s+(?:table|database|schema|view|index|role|user|column)|truncate\s+(?:table\s+)?\w|delete\s+from\s+[\w."`]+\s*(?:;|$)|drop(?:Database|Collection)?\(|deleteMany\(\s*\{\s*\}|flush(?:all|db))/iu

/** A mount of the root or of a folder of the system, a door to the engine, or rights over the machine. */
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
