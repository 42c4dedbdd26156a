/** Which page is shown: the address, and links that change it without loading the page again. */
import { signal } from '@preact/signals'

export interface Route {
  /** Such as `['runs', '01M7Z']`; empty for the list of runs. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
}

export const route = signal<Route>(currentRoute())

function currentRoute(): Route {
  const { pathname, search } = location
  return {
    path: pathname
      .split('/')
      .filter((part) => part !== '')
      .map(decodeURIComponent),
    query: new URLSearchParams(search),
  }
}

export function go(address: string): void {
  history.pushState(null, '', address)
  route.value = currentRoute()
  scrollTo(0, 0)
}

/** What is only another view of the same page: going back leaves the page. */
export function setQuery(changes: Readonly<Record<string, string>>): void {
  const query = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') query.delete(name)
    else query.set(name, value)
  }
  const search = query.toString()
  history.replaceState(null, '', `${location.pathname}${search === '' ? '' : `?${search}`}`)
  route.value = currentRoute()
}

/** Plain clicks on links to this page's own addresses. */
export function followLinks(): void {
  addEventListener('popstate', () => (route.value = currentRoute()))
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (
      link === null ||
      !isPlain ||
      link.origin !== location.origin ||
      link.target !== '' ||
      link.hash !== ''
    )
      return
    event.preventDefault()
    go(link.pathname + link.search)
  })
}
