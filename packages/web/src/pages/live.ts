import { signal } from '@preact/signals'
import type { RunItem, Service } from '../data/index.ts'

export const changedRun = signal<RunItem | undefined>(undefined)

/** A new object on every change, even if the number is the same. */
export const questions = signal<{ readonly open: number }>({ open: 0 })

export const reloads = signal(0)

export const isConnected = signal(true)

export function startWatching(service: Service): void {
  service.watch({
    changed: (run) => (changedRun.value = run),
    questions: (open) => (questions.value = { open }),
    reload: () => (reloads.value += 1),
    connected: (is) => (isConnected.value = is),
  })
}
