/** Options that stand before the subcommand of well-known programs. */

export type OptionKind =
  /** Has no value, or has it in the same word. */
  | 'alone'
  /** The next word is its value. */
  | 'with-value'
  /** Changes what the program would run, or on whose behalf. */
  | 'redirects'
  | 'unknown'

interface KnownOptions {
  readonly alone?: readonly string[]
  readonly withValue?: readonly string[]
  readonly redirects?: readonly string[]
}

const node: KnownOptions = {
  alone: ['-s', '--silent', '-q', '--quiet', '--verbose', '--no-color', '--json'],
  withValue: ['-w', '--workspace', '--loglevel', '--filter', '-F'],
  redirects: [
    '-C',
    '--prefix',
    '--dir',
    '--cwd',
    '--script-shell',
    '--node-options',
    '--userconfig',
    '--globalconfig',
  ],
}

const known: ReadonlyMap<string, KnownOptions> = new Map(
  Object.entries({
    git: {
      alone: ['-p', '--paginate', '-P', '--no-pager', '--no-optional-locks', '--literal-pathspecs', '--bare'],
      withValue: ['-C', '--git-dir', '--work-tree', '--namespace'],
      redirects: ['-c', '--config-env', '--exec-path'],
    },
    npm: node,
    pnpm: node,
    yarn: node,
    bun: node,
    cargo: {
      alone: ['-v', '-vv', '-q', '--verbose', '--quiet', '--locked', '--offline', '--frozen'],
      withValue: ['--color'],
      redirects: ['--config', '-C', '-Z'],
    },
    docker: {
      alone: ['-D', '--debug'],
      withValue: ['-l', '--log-level'],
      redirects: ['-H', '--host', '-c', '--context', '--config'],
    },
    kubectl: {
      withValue: ['-n', '--namespace', '--request-timeout'],
      redirects: ['--kubeconfig', '--context', '--cluster', '--user', '-s', '--server', '--as', '--token'],
    },
    go: { redirects: ['-C'] },
    systemctl: {
      alone: ['--user', '--system', '-q', '--quiet', '--no-pager'],
      redirects: ['-H', '-M', '--host'],
    },
  } satisfies Record<string, KnownOptions>),
)

/** `program` by its name; a path is not known. */
export function kindOfOption(program: string, word: string): OptionKind {
  const options = known.get(program)
  const equals = word.startsWith('--') ? word.indexOf('=') : -1
  const name = equals === -1 ? word : word.slice(0, equals)
  const isShortWithValue = !word.startsWith('--') && word.length > 2
  const letter = isShortWithValue ? word.slice(0, 2) : name
  if (options?.redirects?.some((option) => option === name || option === letter)) return 'redirects'
  if (equals !== -1) return options?.withValue?.includes(name) === true ? 'alone' : 'unknown'
  if (options?.alone?.includes(name) === true) return 'alone'
  if (options?.withValue?.includes(name) === true) return 'with-value'
  if (isShortWithValue && options?.withValue?.includes(letter) === true) return 'alone'
  return 'unknown'
}
