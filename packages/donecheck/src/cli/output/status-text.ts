/** How sessions of agents stand, for people. */
import { type Line, type Tone, oneLine } from '@donecheck/engine/report'
import type { CheckStatus, SessionStatus } from '../agent-hooks/session-status.ts'

export function statusLines(session: SessionStatus): readonly Line[] {
  const { agent, runId, task, updatedAtMs, blockedStops, checks } = session
  const when = new Date(updatedAtMs).toISOString().slice(0, 19).replace('T', ' ')
  const often =
    blockedStops.times === 0
      ? ''
      : `; stop blocked ${Math.min(blockedStops.times, blockedStops.atMost ?? blockedStops.times)}${blockedStops.atMost === null ? '' : ` of ${blockedStops.atMost}`} times`
  return [
    { tone: 'strong', text: `${agent} ${oneLine(session.session, 40)}  ${when}  ${oneLine(task, 60)}` },
    { ...endOf(session), text: `  ${endOf(session).text}${often}` },
    ...checks.map(checkLine),
    { tone: 'quiet', text: `  donecheck show ${runId}` },
  ]
}

function endOf({ outcome, reason, phase, waitsFor }: SessionStatus): Line {
  const doing = waitsFor.length === 0 ? phase : `waits for ${oneLine(waitsFor.join(', '), 100)}`
  if (outcome === null) return { tone: 'plain', text: `open (${doing}), and nothing is verified` }
  if (outcome === 'verified') return { tone: 'good', text: `verified (${reason ?? ''})` }
  return { tone: 'bad', text: `not verified: ${outcome} (${reason ?? ''})` }
}

function checkLine({ name, status, reason }: CheckStatus): Line {
  const tone: Tone = status === 'passed' ? 'good' : status === undefined ? 'quiet' : 'bad'
  const said =
    status === undefined ? 'not asked yet' : `${status}${reason === '' ? '' : `: ${oneLine(reason, 100)}`}`
  return { tone, text: `  ${oneLine(name, 40)}  ${said}` }
}
