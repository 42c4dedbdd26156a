import type { SecretValues } from '@donecheck/core/internal/secrets'

const secretName = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i

export function secretsOf(
  environment: Readonly<Record<string, string | undefined>>,
  named: readonly string[],
): SecretValues {
  const entries = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && (secretName.test(name) || named.includes(name)) ? [[name, value] as const] : [],
  )
  return Object.fromEntries(entries)
}
