import { render } from 'preact'
import { App, Frame } from './app.tsx'
import { embeddedId, embeddedSource, service } from './data/index.ts'
import { RunPage, startWatching } from './pages/index.ts'
import { applyTheme, followLinks, listenToKeys, startClock } from './parts/index.ts'

const root = document.querySelector('#app')
const embedded = embeddedSource(document.querySelector(`#${embeddedId}`)?.textContent ?? undefined)

applyTheme()
listenToKeys()
startClock()
if (root !== null && embedded !== undefined) {
  const { source, runId } = embedded
  render(
    <>
      <Frame place="report" />
      <main>
        <RunPage source={source} runId={runId} control={undefined} />
      </main>
    </>,
    root,
  )
} else if (root !== null) {
  followLinks()
  startWatching(service)
  render(<App service={service} />, root)
}
