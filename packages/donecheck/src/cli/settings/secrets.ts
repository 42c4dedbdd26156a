import type { SecretValues } from '@donecheck/core/secrets'

/** Names of variables that hold a secret by custom. */
const secretName = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i

/** Values of the environment that are masked in the record: by name, and those that are named in the configuration. */
export function secretsOf(
  environment: Readonly<Record<string, string | undefined>>,
  named: readonly string[],
): SecretValues {
  const entries = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && (secretName.test(name) || named.includes(name)) ? [[name, value] as const] : [],
  )
  return Object.fromEntries(entries)
}
