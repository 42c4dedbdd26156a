import type { CallRecord } from '../../state/activity/index.ts'
import type { Detection, SoftView } from './detection.ts'

/**
 * A repeated success of a tool that is declared idempotent does no harm: it is not refused before it has come
 * `criticalCalls` times. A detection that would refuse nothing else becomes a warning.
 */
export function sparingHarmless(detection: Detection, { activity, settings }: SoftView): Detection {
  const { level, continuedBy } = detection
  if (level !== 'critical' || typeof continuedBy === 'string' || 'tool' in continuedBy) return detection
  const isHarmless = ({ tool, failure, repeat }: CallRecord) =>
    Object.hasOwn(settings.tools, tool) &&
    settings.tools[tool]?.idempotent === true &&
    failure === null &&
    repeat + 1 < settings.criticalCalls
  const harmful = continuedBy.filter((key) => {
    const latest = activity.calls.findLast(({ call, callStatus }) => call === key && callStatus === 'ran')
    return latest === undefined || !isHarmless(latest)
  })
  if (harmful.length === continuedBy.length) return detection
  return harmful.length === 0 ? { ...detection, level: 'warning' } : { ...detection, continuedBy: harmful }
}
