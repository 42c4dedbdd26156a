export const privatePlacesOfHome: readonly string[] = [
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

export const privatePlacesOfConfig: readonly string[] = [
  ...['gcloud', 'gh', 'hub', 'glab-cli', 'op', 'doctl', 'heroku', 'rclone', 'sops', 'containers/auth.json'],
  ...['git/credentials', 'npm/npmrc', 'pip/pip.conf', 'stripe', 'netlify', 'vercel', 'configstore'],
  ...['google-chrome', 'chromium', 'BraveSoftware', 'Code/User/globalStorage', 'donecheck', 'goa-1.0'],
]

export const privatePlacesOfSystem: readonly string[] = [
  ...['/run/secrets', '/var/run/secrets'],
  ...['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/sudoers', '/etc/sudoers.d'],
  ...['/etc/ssl/private', '/etc/ssh/ssh_host_rsa_key', '/etc/ssh/ssh_host_ecdsa_key'],
  ...['/etc/ssh/ssh_host_ed25519_key', '/etc/kubernetes', '/etc/docker'],
  ...['/var/lib/docker', '/var/lib/kubelet'],
]

/** Variables whose values are paths of secrets, or of sockets of programs that hold secrets. */
export const privatePlaceVariables: readonly string[] = [
  ...['SSH_AUTH_SOCK', 'GPG_AGENT_INFO', 'GOOGLE_APPLICATION_CREDENTIALS', 'AWS_SHARED_CREDENTIALS_FILE'],
  ...['AWS_CONFIG_FILE', 'KUBECONFIG', 'NETRC', 'NPM_CONFIG_USERCONFIG', 'npm_config_userconfig'],
  ...['AWS_WEB_IDENTITY_TOKEN_FILE', 'CLOUDSDK_CONFIG', 'DOCKER_CONFIG', 'GH_CONFIG_DIR', 'GNUPGHOME'],
  ...['CODEX_HOME', 'CLAUDE_CONFIG_DIR', 'HISTFILE', 'PGPASSFILE'],
]
