import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Service, Session } from './data/index.ts'
import {
  ApprovalsPage,
  ComparePage,
  InsightsPage,
  isConnected,
  questions,
  RunPage,
  RunsPage,
} from './pages/index.ts'
import {
  activeKeys,
  Dialog,
  Failure,
  go,
  nextTheme,
  route,
  theme,
  useKeys,
  useLoaded,
} from './parts/index.ts'

const places = [
  ['/', 'Runs', 'r'],
  ['/approvals', 'Approvals', 'a'],
  ['/compare', 'Compare', 'c'],
  ['/insights', 'Insights', 'i'],
] as const

const isHelpOpen = signal(false)

export function App({ service }: { readonly service: Service }): JSX.Element {
  const session = useLoaded(() => service.session(), [])
  useKeys(
    places.map(([address, name, letter]) => ({
      key: `g ${letter}`,
      what: `go to ${name}`,
      act: () => go(address),
    })),
  )
  return (
    <>
      <Frame place={session.value.kind === 'loaded' ? session.value.value.storePath : ''}>
        <nav class="places" aria-label="Pages">
          {places.map(([address, name]) => (
            <a href={address} aria-current={isHere(address) ? 'page' : undefined}>
              {name}
              {name === 'Approvals' && questions.value.open > 0 && (
                <span class="count">{questions.value.open}</span>
              )}
            </a>
          ))}
        </nav>
      </Frame>
      <main>
        {!isConnected.value && (
          <p class="failure" role="status">
            The line to the service is down; it is tried again.
          </p>
        )}
        {session.value.kind === 'failed' && <Failure message={session.value.message} />}
        {session.value.kind === 'loaded' && <Page service={service} session={session.value.value} />}
      </main>
    </>
  )
}

function isHere(address: string): boolean {
  const [first = ''] = route.value.path
  return address === '/' ? first === '' || first === 'runs' : address === `/${first}`
}

function Page({ service, session }: { readonly service: Service; readonly session: Session }): JSX.Element {
  const [first = '', runId] = route.value.path
  useEffect(() => {
    document.title = [runId ?? first, 'donecheck'].filter((part) => part !== '').join(' · ')
  }, [first, runId])
  const control = session.roles.includes('run') ? service : undefined
  const mayDecide = session.roles.includes('approve')
  switch (first) {
    case '':
      return <RunsPage service={service} control={control} />
    case 'runs':
      if (runId === undefined) return <RunsPage service={service} control={control} />
      return <RunPage key={runId} source={service} runId={runId} control={control} />
    case 'approvals':
      return <ApprovalsPage service={service} mayDecide={mayDecide} control={control} />
    case 'compare':
      return <ComparePage service={service} />
    case 'insights':
      return <InsightsPage service={service} />
    default:
      return <Failure message={`There is no page ${location.pathname}.`} />
  }
}

export function Frame(props: { readonly place: string; readonly children?: JSX.Element }): JSX.Element {
  useKeys([
    { key: '?', what: 'this help', act: () => (isHelpOpen.value = true) },
    { key: 't', what: 'light, dark or as the system has it', act: nextTheme },
  ])
  return (
    <header class="bar">
      <span class="brand">donecheck</span>
      {props.children}
      <span class="place quiet" title={props.place}>
        {props.place}
      </span>
      <button type="button" class="quiet-button" onClick={nextTheme} aria-label={`Colours: ${theme.value}`}>
        {theme.value}
      </button>
      <button type="button" class="quiet-button" onClick={() => (isHelpOpen.value = true)} aria-label="Keys">
        ?
      </button>
      {isHelpOpen.value && <Help />}
    </header>
  )
}

function Help(): JSX.Element {
  return (
    <Dialog title="Keys" close={() => (isHelpOpen.value = false)}>
      <dl class="keys">
        {activeKeys.value.map(({ key, what }) => (
          <div key={key}>
            <dt>
              {key.split(' ').map((one) => (
                <kbd>{one}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
