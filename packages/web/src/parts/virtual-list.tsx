/** A list of any length: only what is seen is there. Arrow keys, Page Up and Down, Home and End move the choice. */
import { useSignal, type Signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

interface VirtualListProps {
  readonly label: string
  readonly count: number
  readonly chosen: Signal<number>
  readonly row: (index: number) => JSX.Element
}

/** In pixels; must match the stylesheet. */
const rowHeight = 28
/** Rows beyond the edges, so that fast scrolling finds something. */
const spareRows = 12

export function VirtualList({ label, count, chosen, row }: VirtualListProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  const top = useSignal(0)
  const height = useSignal(600)
  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => (height.value = element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(() => bringIntoView(box.current, chosen.value), [chosen.value])
  const first = Math.max(0, Math.floor(top.value / rowHeight) - spareRows)
  const last = Math.min(count, Math.ceil((top.value + height.value) / rowHeight) + spareRows)
  const shown = Array.from({ length: Math.max(0, last - first) }, (_, place) => first + place)
  const move = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(height.value / rowHeight) - 1)
    const next = nextChoice(event.key, { chosen: chosen.value, count, page })
    if (next === undefined) return
    event.preventDefault()
    chosen.value = next
  }
  return (
    <div
      ref={box}
      class="virtual"
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={shown.includes(chosen.value) ? `${id}-${chosen.value}` : undefined}
      onScroll={({ currentTarget }) => (top.value = currentTarget.scrollTop)}
      onKeyDown={move}
    >
      <div style={{ height: `${count * rowHeight}px` }} role="presentation">
        <div style={{ transform: `translateY(${first * rowHeight}px)` }} role="presentation">
          {shown.map((index) => (
            <div
              key={index}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === chosen.value}
              aria-setsize={count}
              aria-posinset={index + 1}
              class="virtual-row"
              onClick={() => (chosen.value = index)}
            >
              {row(index)}
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}

function bringIntoView(box: HTMLDivElement | null, index: number): void {
  if (box === null || index < 0) return
  const from = index * rowHeight
  if (from < box.scrollTop) box.scrollTop = from
  else if (from + rowHeight > box.scrollTop + box.clientHeight)
    box.scrollTop = from + rowHeight - box.clientHeight
}

interface Place {
  readonly chosen: number
  readonly count: number
  readonly page: number
}

function nextChoice(key: string, { chosen, count, page }: Place): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    j: 1,
    ArrowUp: -1,
    k: -1,
    PageDown: page,
    PageUp: -page,
    Home: -count,
    End: count,
  }
  const step = steps[key]
  return step === undefined || count === 0 ? undefined : Math.min(count - 1, Math.max(0, chosen + step))
}
