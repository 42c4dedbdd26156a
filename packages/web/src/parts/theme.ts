/** Dark or light: as the system has it, until somebody chooses. */
import { effect, signal } from '@preact/signals'

const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

const storageKey = 'donecheck-theme'

export const theme = signal<Theme>(keptTheme())

/** Changes whenever the colours do: what is drawn on a canvas is drawn again. */
export const palette = signal(0)

function keptTheme(): Theme {
  const kept = storage()?.getItem(storageKey)
  return themes.find((one) => one === kept) ?? 'system'
}

/** A page from a file may have none. */
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
    palette.value = palette.peek() + 1
  })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => (palette.value += 1))
}
