import { oneLine } from '@donecheck/core/internal/base'
import { waitBefore } from '@donecheck/core/internal/decide'
import type { RunState } from '@donecheck/core/internal/state'
import type { JSX } from 'preact'
import type { RunDetails, RunItem } from '../../data/index.ts'
import { ago, clock, isOpen, reasonWords, toneOfOutcome } from '../../fold/index.ts'
import { CommandLine, nowMs, Outcome, Text, VerdictGlyph } from '../../parts/index.ts'
import type { RunFeed } from './run-feed.ts'

/** In characters; the turn shows all of it. */
const maxReplyLength = 400

interface BannerProps {
  readonly run: RunItem
  readonly feed: RunFeed
}

export function StopBanner({ run, feed }: BannerProps): JSX.Element {
  const explanation = feed.explanation.value
  const { state, turns } = feed.shown.value.view
  const lastReply = turns.at(-1)?.text.trim() ?? ''
  const waiting = waitOf(state) ?? run.waiting
  const end = state?.phase.kind === 'stopped' ? state.phase.transition : explanation?.end
  return (
    <section class={`banner ${toneOfOutcome(run.outcome)}`} aria-label="How it ended">
      <p class="end">
        <Outcome run={{ ...run, waiting }} />{' '}
        <b>{isOpen(run) && !waiting ? phaseWords(state) : reasonWords({ ...run, waiting })}</b>
        {explanation?.end && <span class="quiet figure">exit code {explanation.end.exitCode}</span>}
      </p>
      {end && (
        <p class="message">
          <Text value={end.message} />
        </p>
      )}
      {!isOpen(run) && lastReply !== '' && (
        <p class="message">
          <span class="quiet">The agent's last reply:</span>{' '}
          <Text value={oneLine(lastReply, maxReplyLength)} />
        </p>
      )}
      {explanation !== undefined && <Explained explanation={explanation} />}
    </section>
  )
}

function Explained({ explanation }: Pick<RunDetails, 'explanation'>): JSX.Element {
  const { missing, openParts, passed, next } = explanation
  return (
    <>
      {missing.map((check) => (
        <Missing key={check.name} check={check} />
      ))}
      {openParts.length > 0 && (
        <p>
          <span class="quiet">Open parts:</span> <Text value={openParts.join(', ')} />
        </p>
      )}
      {passed.length > 0 && <Passed names={passed} />}
      {next.length > 0 && <NextSteps steps={next} />}
    </>
  )
}

function waitOf(state: RunState | undefined): RunItem['waiting'] {
  if (state?.phase.kind !== 'retrying' || state.phase.wait !== 'started') return null
  return waitBefore(state.phase) ?? null
}

function phaseWords(state: RunState | undefined): string {
  return state === undefined ? '' : `${state.phase.kind}, turn ${state.turn}`
}

const firstEvidence = 4

type OpenCheck = RunDetails['explanation']['missing'][number]

function Missing({ check: { name, status, reason, evidence } }: { readonly check: OpenCheck }): JSX.Element {
  const [shown, rest] = [evidence.slice(0, firstEvidence), evidence.slice(firstEvidence)]
  return (
    <div class="missing">
      <p>
        <VerdictGlyph status={status} />{' '}
        <b>
          <Text value={name} />
        </b>{' '}
        <Text value={reason === '' ? status : reason} />
      </p>
      <EvidenceLines lines={shown} />
      {rest.length > 0 && (
        <details>
          <summary>{rest.length} more</summary>
          <EvidenceLines lines={rest} />
        </details>
      )}
    </div>
  )
}

function EvidenceLines({ lines }: { readonly lines: readonly string[] }): JSX.Element {
  return (
    <ul class="evidence">
      {lines.map((line) => (
        <li>
          <Text value={line} />
        </li>
      ))}
    </ul>
  )
}

function Passed({ names }: { readonly names: readonly string[] }): JSX.Element {
  return (
    <p>
      {names.map((name) => (
        <span class="passed">
          <VerdictGlyph status="passed" /> <Text value={name} />
        </span>
      ))}
    </p>
  )
}

function NextSteps({
  steps,
}: {
  readonly steps: readonly { readonly command: string; readonly why: string }[]
}): JSX.Element {
  return (
    <dl class="next">
      {steps.map(({ command, why }) => (
        <div>
          <dt>
            <CommandLine command={command} />
          </dt>
          <dd class="quiet">
            <Text value={why} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

export function RunFacts({ run }: { readonly run: RunItem }): JSX.Element {
  const facts = [run.model ?? run.agent, run.workFolder, ...run.tags].filter(
    (fact) => typeof fact === 'string',
  )
  return (
    <p class="facts quiet">
      <code>{run.runId}</code>
      {facts.map((fact) => (
        <Text value={fact} />
      ))}
      <time dateTime={new Date(run.startedAtMs).toISOString()}>
        {clock(run.startedAtMs)} ({ago(run.startedAtMs, nowMs.value)})
      </time>
    </p>
  )
}
