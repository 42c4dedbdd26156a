import { useSignal, type Signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { AnswerRequest, Question, RunItem, Service } from '../../data/index.ts'
import { ago, isOpen } from '../../fold/index.ts'
import { CommandLine, Failure, go, messageOf, nowMs, Preview, Text, useKeys } from '../../parts/index.ts'
import { questions as asked } from '../live.ts'

type Control = Pick<Service, 'resume'>

interface ApprovalsProps {
  readonly service: Service
  readonly mayDecide: boolean
  readonly control: Control | undefined
}

/** In ms. A key pressed this soon was meant for the previous question. */
const unreadMs = 700

export function ApprovalsPage({ service, mayDecide, control }: ApprovalsProps): JSX.Element {
  const questions = useSignal<readonly Question[] | undefined>(undefined)
  const chosenId = useSignal('')
  const failure = useSignal('')
  const endedRun = useSignal<RunItem | undefined>(undefined)
  const load = () =>
    service.questions().then(
      (open) => (questions.value = open),
      (error: unknown) => (failure.value = messageOf(error)),
    )
  useEffect(() => void load(), [asked.value])
  const open = questions.value ?? []
  const chosen = open.find(({ id }) => id === chosenId.value) ?? open[0]
  const isUnread = useUnread(chosen?.id, chosenId.value)
  const decide = async (answer: AnswerRequest) => {
    if (chosen === undefined || !mayDecide) return
    if (answer.approved && isUnread()) {
      failure.value = 'Another question came up as you decided. Read it, then decide.'
      return
    }
    failure.value = ''
    endedRun.value = undefined
    try {
      await service.answer(chosen.id, answer)
      const run = await service.summary(chosen.runId)
      if (!isOpen(run)) endedRun.value = run
    } catch (error) {
      failure.value = messageOf(error)
    }
    await load()
  }
  const step = (by: number) => {
    const place = open.findIndex(({ id }) => id === chosen?.id)
    chosenId.value = open[Math.min(open.length - 1, Math.max(0, place + by))]?.id ?? ''
  }
  useKeys([
    { key: 'j', what: 'next question', act: () => step(1) },
    { key: 'k', what: 'previous question', act: () => step(-1) },
  ])
  return (
    <>
      <h1>Approvals</h1>
      {failure.value !== '' && <Failure message={failure.value} />}
      {endedRun.value !== undefined && <NextStep run={endedRun.value} control={control} />}
      {questions.value !== undefined && open.length === 0 && <p class="nothing">Nothing waits for you.</p>}
      {chosen !== undefined && (
        <div class="split">
          <QuestionList questions={open} chosen={chosen} chosenId={chosenId} />
          <QuestionDetail
            key={chosen.id}
            question={chosen}
            mayDecide={mayDecide}
            decide={(answer) => void decide(answer)}
          />
        </div>
      )}
    </>
  )
}

/** A run that has ended does not read the answer until it is resumed. */
function NextStep({
  run: { runId },
  control,
}: Pick<ApprovalsProps, 'control'> & { readonly run: RunItem }): JSX.Element {
  const failure = useSignal('')
  const resume = async (service: Control) => {
    try {
      await service.resume(runId, undefined)
      go(`/runs/${encodeURIComponent(runId)}`)
    } catch (error) {
      failure.value = messageOf(error)
    }
  }
  return (
    <section class="banner" aria-label="Next step">
      <p>The answer is stored. The run has ended; resume it to continue with the answer:</p>
      <CommandLine command={`donecheck resume ${runId}`} />
      {control !== undefined && (
        <button type="button" class="main" onClick={() => void resume(control)}>
          Resume the run
        </button>
      )}
      {failure.value !== '' && <Failure message={failure.value} />}
    </section>
  )
}

/** @returns whether the question appeared by itself just now. @param chosenId the one chosen by hand */
function useUnread(id: string | undefined, chosenId: string): () => boolean {
  const shown = useRef({ id: '', sinceMs: -Infinity })
  const isExpected = shown.current.id === '' || id === chosenId
  if (id !== undefined && id !== shown.current.id)
    shown.current = { id, sinceMs: isExpected ? -Infinity : performance.now() }
  return () => performance.now() - shown.current.sinceMs < unreadMs
}

interface QuestionListProps {
  readonly questions: readonly Question[]
  readonly chosen: Question
  readonly chosenId: Signal<string>
}

function QuestionList({ questions, chosen, chosenId }: QuestionListProps): JSX.Element {
  return (
    <ul class="questions">
      {questions.map((question) => (
        <li>
          <button
            type="button"
            aria-current={question.id === chosen.id}
            onClick={() => (chosenId.value = question.id)}
          >
            <span class="what">
              <Text value={titleOf(question)} />
            </span>
            <span class="quiet figure">{ago(question.askedAtMs, nowMs.value)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

function titleOf({ subject }: Question): string {
  return subject.kind === 'call' ? subject.summary : subject.question
}

interface QuestionDetailProps {
  readonly question: Question
  readonly mayDecide: boolean
  readonly decide: (answer: AnswerRequest) => void
}

function QuestionDetail(props: QuestionDetailProps): JSX.Element {
  const { runId, subject } = props.question
  return (
    <section class="detail" aria-label="What is asked">
      <h2>
        <Text value={titleOf(props.question)} />
      </h2>
      <p class="quiet">
        <Text value={subject.kind === 'call' ? `${subject.tool} (${subject.effect})` : subject.check} /> in{' '}
        <a href={`/runs/${encodeURIComponent(runId)}`}>run {runId}</a>
      </p>
      {subject.kind === 'call' && (
        <p>
          <Text value={subject.reason} />
        </p>
      )}
      {subject.details !== '' && <Preview value={subject.details} />}
      {props.mayDecide ? (
        <Decision {...props} />
      ) : (
        <p class="quiet">Your token may not decide: ask for one with the role approve.</p>
      )}
    </section>
  )
}

type Scope = NonNullable<AnswerRequest['scope']>

const scopes: Readonly<Record<Scope, { readonly key: string; readonly words: string }>> = {
  once: { key: 'a', words: 'Allow once' },
  session: { key: 's', words: 'For the session' },
  rule: { key: 'r', words: 'Keep as a rule' },
}

function Decision({ question: { subject }, decide }: QuestionDetailProps): JSX.Element {
  const reason = useSignal('')
  const field = useRef<HTMLInputElement>(null)
  const choices =
    subject.kind === 'call'
      ? subject.scopes.yes.map((scope) => ({ scope, ...scopes[scope] }))
      : [{ scope: 'once' as const, key: 'a', words: 'Yes, it is done' }]
  const allow = (scope: Scope) =>
    decide({ approved: true, scope, ...(reason.value === '' ? {} : { reason: reason.value }) })
  const deny = () =>
    reason.value === '' ? field.current?.focus() : decide({ approved: false, reason: reason.value })
  useKeys([
    ...choices.map(({ scope, key, words }) => ({
      key,
      what: words.toLowerCase(),
      isOnce: true as const,
      act: () => allow(scope),
    })),
    { key: 'd', what: 'deny: asks for a reason first', act: deny },
  ])
  return (
    <form
      class="decision"
      onSubmit={(event) => {
        event.preventDefault()
        deny()
      }}
    >
      {choices.map(({ scope, key, words }, index) => (
        <button type="button" class={index === 0 ? 'main' : ''} onClick={() => allow(scope)}>
          {words} <kbd>{key}</kbd>
        </button>
      ))}
      <span class="denial">
        <input
          ref={field}
          aria-label="Why not"
          placeholder="Reason, for the agent"
          value={reason.value}
          onInput={({ currentTarget }) => (reason.value = currentTarget.value)}
          onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
        />
        <button type="submit">
          Deny <kbd>d</kbd>
        </button>
      </span>
      {subject.kind === 'call' && subject.amendment !== undefined && (
        <p class="quiet">
          More than once: every call that begins with{' '}
          <code>
            <Text value={subject.amendment.prefix.join(' ')} />
          </code>
          .
        </p>
      )}
    </form>
  )
}
