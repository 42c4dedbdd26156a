import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type {
  Evidence,
  OutputExcerpt,
  TestsEvidence,
  Verdict,
} from '@donecheck/core/internal/events/verdicts'
import type { Source } from '../../data/index.ts'
import { dollars, duration, whole } from '../../fold/index.ts'
import { Badge, Block, Failure, messageOf, Text, VerdictGlyph } from '../../parts/index.ts'

interface Place {
  readonly runId: string
  readonly source: Source
}

export function VerdictDetail({ verdict, ...place }: Place & { readonly verdict: Verdict }): JSX.Element {
  const { verifier, status, reason, qualifiers, evidence, durationMs, costUsd, tree } = verdict
  return (
    <article class="verdict">
      <h3>
        <VerdictGlyph status={status} /> <Text value={verifier} />
        {qualifiers.map((qualifier) => (
          <Badge tone="warn">{qualifier}</Badge>
        ))}
        <span class="quiet figure">
          {duration(durationMs)}
          {costUsd === undefined ? '' : `, ${dollars(costUsd)}`}
          {tree === undefined ? '' : `, ${tree}`}
        </span>
      </h3>
      <p>
        <Text value={reason} />
      </p>
      {evidence.map((piece) => (
        <Piece piece={piece} {...place} />
      ))}
    </article>
  )
}

function Piece({ piece, ...place }: Place & { readonly piece: Evidence }): JSX.Element {
  switch (piece.kind) {
    case 'command':
      return (
        <>
          <p class="quiet">
            <code>
              $ <Text value={piece.command} />
            </code>{' '}
            {piece.timedOut ? 'timed out' : `exit ${piece.exitCode ?? piece.signal ?? '?'}`}
          </p>
          <Output output={piece.output} {...place} />
        </>
      )
    case 'note':
      return <Block value={piece.text} />
    case 'tests':
      return <Tests piece={piece} />
    case 'finding':
      return (
        <Sentence
          head={`${piece.response} ${piece.rule}`}
          text={`${placeOf(piece.path, piece.line)} ${piece.message} ${piece.why}`}
        />
      )
    case 'judge':
      return (
        <Sentence
          head={`${piece.judge}: ${piece.said}`}
          text={[piece.reason, ...piece.quotes.map(({ text }) => `“${text}”`)].join(' ')}
        />
      )
    case 'file':
      return (
        <Sentence
          head={piece.path}
          text={piece.digest === null ? 'is missing' : `${whole(piece.bytes)} bytes`}
        />
      )
    case 'measure':
      return (
        <Sentence
          head={piece.name}
          text={`${piece.value}${piece.bound === undefined ? '' : `, bound ${piece.bound}`}`}
        />
      )
    case 'authority':
      return <Sentence head={`allowed by ${piece.by}`} text={`${piece.paths.join(', ')}: ${piece.reason}`} />
  }
}

const shownTests = 100

function Tests({ piece: { counts, format, failed } }: { readonly piece: TestsEvidence }): JSX.Element {
  return (
    <>
      <p class="quiet figure">
        {whole(counts.passed)} passed, {whole(counts.failed)} failed, {whole(counts.errored)} errored,{' '}
        {whole(counts.skipped)} skipped ({format})
      </p>
      {failed.slice(0, shownTests).map(({ name, file, line, message }) => (
        <details>
          <summary>
            <Text value={name} />{' '}
            <span class="quiet">
              <Text value={placeOf(file, line)} />
            </span>
          </summary>
          <Block value={message ?? 'It left no message.'} />
        </details>
      ))}
    </>
  )
}

function Sentence({ head, text }: { readonly head: string; readonly text: string }): JSX.Element {
  return (
    <p>
      <b>
        <Text value={head} />
      </b>{' '}
      <Text value={text} />
    </p>
  )
}

function placeOf(file: string | undefined, line: number | undefined): string {
  return file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}`
}

function Output({ output, runId, source }: Place & { readonly output: OutputExcerpt }): JSX.Element {
  const whole = useSignal<string | undefined>(undefined)
  const failure = useSignal('')
  const { head, tail, omittedBytes, digest, totalBytes } = output
  if (totalBytes === 0) return <p class="quiet">No output.</p>
  const load = () =>
    source.attachment(runId, digest).then(
      (text) => (whole.value = text),
      (error: unknown) => (failure.value = messageOf(error)),
    )
  if (whole.value !== undefined) return <Block value={whole.value} />
  return (
    <>
      <Block value={head} />
      {omittedBytes > 0 && (
        <>
          <p>
            <button type="button" onClick={() => void load()}>
              Show {omittedBytes.toLocaleString('en-US')} bytes between
            </button>
          </p>
          <Block value={tail} />
        </>
      )}
      {failure.value !== '' && <Failure message={failure.value} />}
    </>
  )
}
