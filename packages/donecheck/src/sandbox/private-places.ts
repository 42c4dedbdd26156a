/** Where secrets usually lie: nothing of this can be read in a sandbox. */
import { isAbsolute, join } from 'node:path'

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
  ...[
    '/etc/ssh/ssh_host_ed25519_key',
    '/etc/kubernetes',
    '/etc/docker',
    '/var/lib/docker',
    '/var/lib/kubelet',
  ],
]
/** Variables whose values are paths of secrets or of doors to somebody who has them. */
const naming = [
  ...['SSH_AUTH_SOCK', 'GPG_AGENT_INFO', 'GOOGLE_APPLICATION_CREDENTIALS', 'AWS_SHARED_CREDENTIALS_FILE'],
  ...[
    'AWS_CONFIG_FILE',
    'KUBECONFIG',
    'NETRC',
    'NPM_CONFIG_USERCONFIG',
    'npm_config_userconfig',
    'PGPASSFILE',
  ],
  ...['AWS_WEB_IDENTITY_TOKEN_FILE', 'CLOUDSDK_CONFIG', 'DOCKER_CONFIG', 'GH_CONFIG_DIR', 'GNUPGHOME'],
  ...['CODEX_HOME', 'CLAUDE_CONFIG_DIR', 'HISTFILE'],
]

/** Absolute paths, whether they exist or not. */
export function privatePlaces(
  homeFolder: string,
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const config = environment['XDG_CONFIG_HOME']
  const state = environment['XDG_STATE_HOME']
  const configs = [
    join(homeFolder, '.config'),
    ...(config !== undefined && isAbsolute(config) ? [config] : []),
  ]
  return [
    ...ofHome.map((place) => join(homeFolder, place)),
    ...configs.flatMap((folder) => ofConfig.map((place) => join(folder, place))),
    ...(state !== undefined && isAbsolute(state) ? [join(state, 'donecheck')] : []),
    ...ofSystem,
    ...naming.flatMap((name) => {
      const place = environment[name]
      return place !== undefined && isAbsolute(place) && place !== '/' ? [place] : []
    }),
  ]
}
