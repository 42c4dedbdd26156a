/** What can be typed on a page, in one table: it is what happens, and what the help shows. */
import { computed, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

export interface Key {
  /** As the browser names it, such as `j` or `Enter`; two with a blank between are typed one after the other. */
  readonly key: string
  readonly what: string
  /** Held down, it counts once. */
  readonly isOnce?: true
  readonly act: () => void
}

const layers = signal<readonly (readonly Key[])[]>([])

/** Of the page first, then those of all pages. */
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
