import type { VerificationRecord } from '../../state/activity/index.ts'
import { latestSequences, type Detector, type Detection } from './detection.ts'

/** Trees that were changed without a word of being done count so much less: work in hand fails until it is finished. */
const changesPerClaim = 2

/**
 * The same checks fail with the same words, whatever the drive changes. What counts is how often it said that it was done
 * with a new tree and was not: a long piece of work whose check stays red until its last edit is no loop, so changes alone
 * are only told. `CheckState.failureStreak` counts otherwise: every failure of one check, whatever it says.
 */
export const failedCheckRepeat: Detector = ({ activity, settings }) => {
  const latest = activity.verifications.at(-1)
  if (latest === undefined || latest.failing === '') return undefined
  const { repeats, claims, checks, failing } = latest
  const hopeless = settings.failedCheckRepeatThreshold
  if (claims < hopeless && latest.idleClaims >= Math.max(2, settings.repeatedReplyThreshold - 2))
    return idle(latest, settings.repeatedReplyThreshold)
  const isTold = claims >= Math.max(2, Math.ceil(hopeless / 2)) || repeats >= hopeless * changesPerClaim
  if (!isTold) return undefined
  const names = checks.join(', ')
  return {
    detector: 'failed_check_repeat',
    level: claims >= hopeless ? 'hopeless' : 'warning',
    key: failing,
    message: `${names} failed in the same way on ${repeats} trees, ${claims} of them said to be done`,
    advice: `${names} failed ${repeats} times in the same way although you changed the work each time: your changes do not touch the cause. Read its output from the start, find out by a small experiment what it depends on, and only then change something.`,
    numbers: { repeats, claims },
    continuedBy: [],
    restsOn: latestSequences(activity.verifications.filter((record) => record.failing === failing)),
  }
}

/** Said to be done again and again, and nothing was done in between. */
function idle({ idleClaims, checks, failing, sequence }: VerificationRecord, hopeless: number): Detection {
  const names = checks.join(', ')
  return {
    detector: 'failed_check_repeat',
    level: idleClaims >= hopeless ? 'hopeless' : 'warning',
    key: `idle ${failing}`,
    message: `said to be done ${idleClaims} times without any change, and ${names} failed each time`,
    advice: `You have said ${idleClaims} times that you are done, and changed nothing in between; ${names} fails as before. Saying it decides nothing: change the work, or say what keeps you from it.`,
    numbers: { claims: idleClaims },
    continuedBy: [],
    restsOn: [sequence],
  }
}
