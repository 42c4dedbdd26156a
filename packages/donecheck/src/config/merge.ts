import type { Config } from './schema.ts'

/**
 * Later sources win, key by key. What drives is one choice: a source that names an agent program takes back the model of
 * the sources before it, and the other way round.
 */
export function mergeConfigs(...sources: readonly Config[]): Config {
  return sources.reduce<Config>((before, source) => ({ ...withoutOtherDrive(before, source), ...source }), {})
}

function withoutOtherDrive(before: Config, source: Config): Config {
  const { agent, model, baseUrl, ...rest } = before
  if (source.agent !== undefined) return rest
  const namesModel = source.model !== undefined || source.baseUrl !== undefined
  const withModel = {
    ...rest,
    ...(model === undefined ? {} : { model }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
  }
  return namesModel || agent === undefined ? withModel : { ...withModel, agent }
}
