/**
 * A child process that writes to a store. Words: HOW PLACE …
 *
 * `append-forever`: one event after the other to run-1, prints each sequence number once it is acknowledged, until killed.
 * `compete NAME WINS`: appends to run-1, which others write too, until so many appends have won; prints the sequence numbers that it won.
 * `acquire-lease [FENCE]`: asks for the name `run:run-1`, with a fence to take over; prints the answer.
 */
import { writeSync } from 'node:fs'
import { modelCalled } from '@donecheck/core/internal/testing/facts'
import { runStarted, stamp } from '@donecheck/core/testing'
import type { RunEvent } from '@donecheck/core/internal/events'
import { thisHolder } from '@donecheck/engine/internal/system/process'
import { storeAt } from './store-at.ts'

const [how = '', place = '', ...more] = process.argv.slice(2)
const store = await storeAt(place)
const [first, second] = stamp([runStarted(), modelCalled()])

function eventAt(sequence: number, name: string): RunEvent {
  const event = sequence === 1 ? first : second
  if (event === undefined) throw new Error('two events were stamped')
  return { ...event, sequence, id: `${name}-${sequence}` }
}

async function appendForever(): Promise<never> {
  for (let sequence = 1; ; sequence++) {
    const { kind } = await store.append(sequence - 1, [eventAt(sequence, 'event')], null)
    if (kind !== 'appended') throw new Error(kind)
    writeSync(1, `${sequence}\n`)
  }
}

async function compete(name: string, wins: number): Promise<readonly number[]> {
  const won: number[] = []
  let seen = 0
  while (won.length < wins) {
    const sequence = seen + 1
    const result = await store.append(seen, [eventAt(sequence, name)], null)
    if (result.kind === 'fenced') throw new Error(result.message)
    if (result.kind === 'appended') won.push(sequence)
    seen = result.kind === 'appended' ? sequence : result.actualSequence
  }
  return won
}

function acquireLease(takeOverFence: string | undefined) {
  return store.acquire({
    name: 'run:run-1',
    holder: thisHolder('the child'),
    ttlMs: 60_000,
    ...(takeOverFence === undefined ? {} : { takeOverFence: Number(takeOverFence) }),
  })
}

if (how === 'append-forever') await appendForever()
const printed =
  how === 'compete' ? await compete(more[0] ?? '', Number(more[1])) : await acquireLease(more[0])
await store.close()
console.log(JSON.stringify(printed))
