import { matchFloor } from '../floor/match-floor.ts'
import type { PrefixRule } from '../rules/rule.ts'
import { expansions } from './expansions.ts'

/** Any place: a prefix names no files. */
const anywhere = { workFolder: '/project', folder: '/project', homeFolder: null }

/** Why this permission is not what it seems to be. */
export function floorObjection(rule: PrefixRule): string | undefined {
  const { decision, overridesFloor = false, source } = rule
  if (decision !== 'allow') return undefined
  const isHeeded = source.layer === 'user' || source.layer === 'run'
  if (overridesFloor && !isHeeded)
    return `rules of the layer ${source.layer} take nothing out of the built-in floor`
  for (const prefix of expansions(rule)) {
    const words = prefix.map((text) => ({ text, written: text, span: null }))
    const [match] = matchFloor({ words, span: null, through: [], isTransparent: false }, anywhere).matches
    if (match === undefined) continue
    if (match.rule.severity === 'forbidden')
      return `the built-in floor forbids it in any case: ${match.rule.name}`
    if (!overridesFloor) return `the built-in floor asks all the same: ${match.rule.name}`
  }
  return undefined
}
