/** What the drive said of itself, held against what the checks said. */
import type { RunEvent, VerificationTrigger } from '@donecheck/core/events'
import type { RunState } from '@donecheck/core/state'
import type { VerdictStatus } from '@donecheck/core/verdicts'
import type { RunRow } from './row.ts'

type ClaimTotals = Pick<RunRow, 'claims' | 'falseClaims' | 'isFirstTry' | 'roundsToGreen'>

type Colour = 'green' | 'red' | 'undecided'

/** Event by event, in their order. */
export function readClaims() {
  /** The latest word of each verifier on the work; what it said of the baseline tree is none. */
  const latest = new Map<string, VerdictStatus>()
  const totals = { claims: 0, falseClaims: 0, rounds: 0 }
  let firstClaim: Colour | undefined
  let roundsToGreen: number | null = null
  let trigger: VerificationTrigger | undefined
  let isClaimed = false

  function endTurn(state: RunState): void {
    const colour = colourOf(state, latest)
    if (isClaimed) {
      totals.claims += 1
      totals.falseClaims += colour === 'red' ? 1 : 0
      firstClaim ??= colour
    }
    isClaimed = false
    if (colour === 'green' && totals.rounds > 0) roundsToGreen ??= totals.rounds
  }

  return {
    add(event: RunEvent, state: RunState): void {
      if (event.type === 'model-replied') isClaimed = state.tally.claimed
      if (event.type === 'model-called') isClaimed = false
      if (event.type === 'verification-started') {
        trigger = event.trigger
        totals.rounds += isRound(trigger) ? 1 : 0
      }
      if (event.type === 'verdict-given' && trigger !== 'baseline')
        latest.set(event.verdict.verifier, event.verdict.status)
      if (event.type === 'turn-ended' || event.type === 'run-stopped') endTurn(state)
    },
    totals: (): ClaimTotals => ({
      claims: totals.claims,
      falseClaims: totals.falseClaims,
      isFirstTry: firstClaim === undefined || firstClaim === 'undecided' ? null : firstClaim === 'green',
      roundsToGreen,
    }),
  }
}

/** What is held out to the end belongs to the round before it. */
function isRound(trigger: VerificationTrigger): boolean {
  return trigger !== 'baseline' && trigger !== 'held-out'
}

/** Red as soon as one required verifier has failed; green when none is open, and every check was asked. */
function colourOf({ settings }: RunState, latest: ReadonlyMap<string, VerdictStatus>): Colour {
  const required = settings.verifiers.filter((verifier) => verifier.required)
  const statuses = required.flatMap(
    ({ name, role }) => latest.get(name) ?? (role === 'check' ? 'pending' : []),
  )
  if (statuses.includes('failed')) return 'red'
  const isOpen = statuses.includes('error') || statuses.includes('pending')
  return !isOpen && statuses.includes('passed') ? 'green' : 'undecided'
}
