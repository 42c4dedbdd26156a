/**
 * A check that fails and passes on the same work is flaky: it verifies nothing. It can be left out for a while
 * by a named person (quarantine), or not be asked at all (a waiver).
 */
import { verifierOf, verifyWork } from 'donecheck'
import type { CheckingOptions } from '@donecheck/engine'

/** Fails when it is asked first, and passes from then on. */
function flaky() {
  let asked = 0
  const ask = () => {
    asked += 1
    return { passed: asked > 1, reason: `asked ${asked} times` }
  }
  return verifierOf('the server answers', ask, { reads: 'answer', retry: { failure: 1 } })
}
const steady = verifierOf('the page is there', () => true, { reads: 'answer' })

async function outcomeWith(options: CheckingOptions): Promise<string> {
  const { transition, verdicts } = await verifyWork({ hardVerifiers: [flaky(), steady], ...options })
  for (const { status, reason, qualifiers } of verdicts)
    console.log(`  ${status}${qualifiers.map((word) => ` (${word})`).join('')}: ${reason}`)
  console.log(transition.outcome)
  return transition.outcome
}

const leave = { by: 'Ada', until: '2099-12-31', reason: 'the server is being replaced' }
const check = 'the server answers'
const outcomes = [
  await outcomeWith({}),
  await outcomeWith({ quarantine: [{ check, ...leave }] }),
  await outcomeWith({ waive: [{ check, ...leave }] }),
]
console.log(`refused, in quarantine, waived: ${outcomes.join(', ')}`)

// prints: refused, in quarantine, waived: blocked, verified, verified
