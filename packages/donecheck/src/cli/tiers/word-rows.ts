/** What the word of whoever drives does, as rows. */
import { isDecided } from './check-rows.ts'
import type { HookHost, TierRow, TierSubject } from './tier.ts'

export function wordRows(subject: TierSubject): readonly TierRow[] {
  const { settings, host } = subject
  const isAlone = !isDecided(subject)
  if (host !== null) return wordOfHost(host, settings.caps.maxBlockedStops, isAlone)
  if (isAlone)
    return [
      word('claim', 'ends the run, as unverified (exit 4)'),
      word('contradiction', 'a claim that the files or the record contradict is sent back first'),
    ]
  const also =
    settings.completeWhen === 'checks'
      ? 'needed, with a change, where a check was green before'
      : 'needed beside green checks'
  return [word('claim', `ends nothing by itself: the checks are asked; ${also}`)]
}

const unchangedWords = {
  verify: 'its claim is checked like any other',
  'allow-stop': 'it may stop, not verified',
  attended: 'it may stop, not verified, where a person asked; else it is checked',
} as const

const brokenWords = { hold: 'holds it back', 'allow-stop': 'lets it stop, not verified' } as const

function wordOfHost(
  { title, hooks, claims, whenUnchanged, onBrokenCheck }: HookHost,
  maxBlockedStops: number | null,
  isAlone: boolean,
): readonly TierRow[] {
  const at = claims.join(' and ')
  if (isAlone) {
    const why = hooks === 'none' ? `${title} stops when it likes` : `no check is asked at ${at}`
    return [word('claim', `ends the work: ${why}`)]
  }
  const again =
    maxBlockedStops === null
      ? 'is blocked as long as a check is red'
      : `after ${maxBlockedStops} in a row with no better score it may stop, not verified`
  return [
    word('claim', `ends nothing by itself: the checks are asked at ${at}`),
    word('blocked stop', again),
    word('turn without change', unchangedWords[whenUnchanged ?? 'attended']),
    word('broken check', brokenWords[onBrokenCheck]),
  ]
}

function word(name: string, what: string): TierRow {
  return { name, state: 'stands', what, option: null, cost: null }
}
