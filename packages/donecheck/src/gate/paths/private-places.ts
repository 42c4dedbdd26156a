/** Where secrets usually lie: what a sandbox hides, and what is asked for where none does. */
import picomatch from 'picomatch'

/** Below the home folder. */
const ofHome = [
  ...['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.password-store', '.vault-token', '.netrc', '_netrc'],
  ...['.npmrc', '.yarnrc', '.yarnrc.yml', '.pypirc', '.pgpass', '.my.cnf', '.mylogin.cnf', '.s3cfg', '.boto'],
  ...['.git-credentials', '.terraformrc', '.terraform.d/credentials.tfrc.json', '.cargo/credentials'],
  ...['.cargo/credentials.toml', '.gem/credentials', '.m2/settings.xml', '.m2/settings-security.xml'],
  ...['.gradle/gradle.properties', '.nuget/NuGet/NuGet.Config', '.composer/auth.json', '.bundle/config'],
  ...['.docker', '.databrickscfg', '.snowflake', '.oci', '.fly', '.heroku', '.pulumi/credentials.json'],
  ...['.claude', '.claude.json', '.codex', '.gemini', '.cursor', '.anthropic', '.openai', '.huggingface'],
  ...['.mozilla', '.thunderbird', '.bash_history', '.zsh_history', '.python_history', '.node_repl_history'],
  ...['.psql_history', '.mysql_history', '.local/share/keyrings', '.local/share/donecheck'],
  ...['.local/state/donecheck', '.cache/huggingface/token', 'Library/Keychains'],
]
const ofConfig = [
  ...['gcloud', 'gh', 'hub', 'glab-cli', 'op', 'doctl', 'heroku', 'rclone', 'sops', 'containers/auth.json'],
  ...['git/credentials', 'npm/npmrc', 'pip/pip.conf', 'stripe', 'netlify', 'vercel', 'configstore'],
  ...['google-chrome', 'chromium', 'BraveSoftware', 'Code/User/globalStorage', 'donecheck', 'goa-1.0'],
]
const ofSystem = [
  ...['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/sudoers', '/etc/sudoers.d'],
  ...['/etc/ssl/private', '/etc/ssh/ssh_host_rsa_key', '/etc/ssh/ssh_host_ecdsa_key'],
  ...['/etc/ssh/ssh_host_ed25519_key', '/etc/kubernetes', '/etc/docker', '/var/lib/docker'],
  ...['/var/lib/kubelet', '/proc/*/environ', '/proc/*/mem'],
]

/** Compared without regard to letters: some file systems do not tell them apart. */
const places: readonly (readonly string[])[] = [
  ...ofHome.map((place) => `~/${place}`),
  ...ofConfig.map((place) => `~/.config/${place}`),
  ...ofSystem,
].map((place) => place.toLowerCase().split('/'))

/** By their second part, for most paths have none. */
const bySecond = new Map<string, (readonly string[])[]>()
for (const place of places) {
  const [, second = ''] = place
  bySecond.set(second, [...(bySecond.get(second) ?? []), place])
}

/** Whose values are paths of secrets. */
const naming =
  /^\$\{?(?:SSH_AUTH_SOCK|GOOGLE_APPLICATION_CREDENTIALS|AWS_(?:SHARED_CREDENTIALS|CONFIG|WEB_IDENTITY_TOKEN)_FILE|KUBECONFIG|NETRC|NPM_CONFIG_USERCONFIG|PGPASSFILE|CLOUDSDK_CONFIG|DOCKER_CONFIG|GH_CONFIG_DIR|GNUPGHOME|CODEX_HOME|CLAUDE_CONFIG_DIR|HISTFILE)\b/iu

/** `at`: it is one, or lies in one. `above`: one lies in it. A part that is only known when it runs may be any name. */
export type Privacy = 'at' | 'above' | null

/** @param path absolute and without `..`, or below `~`; globs and variables as they are written */
export function privacyOf(path: string): Privacy {
  const home = path
    .replace(/^\/proc\/(?:self|thread-self|\d+)\/root(?=\/)/u, '')
    .replace(/^\/(?:home\/[^/]+|users\/[^/]+|root)(?=\/|$)/iu, '~')
  if (/^\/(?:home|users)?$/iu.test(home)) return 'above'
  const parts = home.toLowerCase().split('/')
  const kinds = parts.map(kindOf)
  let isAbove = false
  const [, second] = parts
  const isPlain = second !== undefined && kinds[0] === 'name' && kinds[1] === 'name'
  for (const place of isPlain ? (bySecond.get(second) ?? []) : places) {
    if (!place.every((name, index) => index >= parts.length || mayBe(parts[index] ?? '', kinds[index], name)))
      continue
    if (parts.length >= place.length) return 'at'
    isAbove = true
  }
  return isAbove ? 'above' : null
}

/** Of a word that names such a place by a variable. */
export function namesPrivatePlace(written: string): boolean {
  return naming.test(written)
}

type PartKind = 'name' | 'glob' | 'any'

/** One with alternatives, or too many stars to be tried, may be any name. */
function kindOf(part: string): PartKind {
  if (/[$`(){}]|\*.*\*.*\*/u.test(part)) return 'any'
  if (!/[*?[]/u.test(part)) return 'name'
  return part.length < longestGlob ? 'glob' : 'any'
}

const longestGlob = 100

/** @param part as it is written in the line */
function mayBe(part: string, kind: PartKind | undefined, name: string): boolean {
  // The second is a pattern itself: of any process.
  if (kind === 'any' || part === name || (name === '*' && part !== '')) return true
  return kind === 'glob' && picomatch.isMatch(name, part)
}
