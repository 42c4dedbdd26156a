import type { CallRecord } from '../../events/index.ts'
import type { Sign, SoftView } from './sign.ts'

/**
 * A repeated success of a tool that is declared idempotent does no harm: it is not refused before it has come
 * `criticalCalls` times. A sign that would refuse nothing else becomes a warning.
 */
export function sparingHarmless(sign: Sign, { activity, settings }: SoftView): Sign {
  const { level, continuedBy } = sign
  if (level !== 'critical' || typeof continuedBy === 'string' || 'tool' in continuedBy) return sign
  const isHarmless = ({ tool, failure, lap }: CallRecord) =>
    Object.hasOwn(settings.tools, tool) &&
    settings.tools[tool]?.idempotent === true &&
    failure === null &&
    lap + 1 < settings.criticalCalls
  const harmful = continuedBy.filter((key) => {
    const latest = activity.calls.findLast(({ call, fate }) => call === key && fate === 'ran')
    return latest === undefined || !isHarmless(latest)
  })
  if (harmful.length === continuedBy.length) return sign
  return harmful.length === 0 ? { ...sign, level: 'warning' } : { ...sign, continuedBy: harmful }
}
