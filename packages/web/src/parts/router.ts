import { signal, useSignal, type Signal, effect, computed } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

interface Route {
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

/** Replaces the history entry, so that back leaves the page. */
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

export type Loaded<Value> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'loaded'; readonly value: Value }
  | { readonly kind: 'failed'; readonly message: string }

/** Reloads when an input changes, and keeps the last result until then. */
export function useLoaded<Value>(
  load: () => Promise<Value>,
  inputs: readonly unknown[],
): Signal<Loaded<Value>> {
  const loaded = useSignal<Loaded<Value>>({ kind: 'loading' })
  useEffect(() => {
    let isWanted = true
    load().then(
      (value) => isWanted && (loaded.value = { kind: 'loaded', value }),
      (error: unknown) => isWanted && (loaded.value = { kind: 'failed', message: messageOf(error) }),
    )
    return () => {
      isWanted = false
    }
  }, inputs)
  return loaded
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

const storageKey = 'donecheck-theme'

export const theme = signal<Theme>(keptTheme())

function keptTheme(): Theme {
  const kept = storage()?.getItem(storageKey)
  return themes.find((one) => one === kept) ?? 'system'
}

/** Undefined on a page opened from a file. */
function storage(): Storage | undefined {
  try {
    return localStorage
  } catch {
    return undefined
  }
}

export function nextTheme(): void {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? 'system'
}

export function applyTheme(): void {
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value
    storage()?.setItem(storageKey, theme.value)
  })
}

export const nowMs = signal(Date.now())

const tickMs = 5_000

export function startClock(): void {
  setInterval(() => {
    if (!document.hidden) nowMs.value = Date.now()
  }, tickMs)
}

interface Key {
  /** As the browser names it, such as `j` or `Enter`; two with a blank between are typed one after the other. */
  readonly key: string
  readonly what: string
  /** Ignores key repeat. */
  readonly isOnce?: true
  readonly act: () => void
}

const layers = signal<readonly (readonly Key[])[]>([])

export const activeKeys = computed(() => layers.value.toReversed().flat())

/** While the component is shown. Later ones go before earlier ones. */
export function useKeys(keys: readonly Key[]): void {
  const current = useRef(keys)
  current.current = keys
  useEffect(() => {
    const layer = keys.map((one, index) => ({
      ...one,
      act: () => current.current[index]?.act(),
    }))
    layers.value = [...layers.peek(), layer]
    return () => {
      layers.value = layers.peek().filter((one) => one !== layer)
    }
  }, [keys.map(({ key }) => key).join()])
}

let begun = ''

export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
      return
    if (document.querySelector('dialog[open]') !== null) return
    // What has the focus knows what Enter does to it.
    if (event.key === 'Enter' && isControl(event.target)) return
    const typed = [`${begun} ${event.key}`, event.key]
    const found = activeKeys.value.find(({ key }) => typed.includes(key))
    begun = found === undefined ? event.key : ''
    if (found === undefined) return
    event.preventDefault()
    if (found.isOnce !== true || !event.repeat) found.act()
  })
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, select, textarea')
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('a, button, summary')
}
