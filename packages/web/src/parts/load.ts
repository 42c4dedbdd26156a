/** An answer that is waited for. */
import { useSignal, type Signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

export type Loaded<Value> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'loaded'; readonly value: Value }
  | { readonly kind: 'failed'; readonly message: string }

/** Asks again whenever one of the inputs is another; while it does, the last answer stays. */
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
