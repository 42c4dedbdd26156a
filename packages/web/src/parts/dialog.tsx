/** What stands before the page until it is closed. The browser keeps the focus in it, and Escape closes it. */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface DialogProps {
  readonly title: string
  readonly close: () => void
  readonly children: ComponentChildren
}

export function Dialog({ title, close, children }: DialogProps): JSX.Element {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => element.current?.showModal(), [])
  return (
    <dialog ref={element} onClose={close} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <button type="button" class="quiet-button" onClick={() => element.current?.close()}>
          Close
        </button>
      </header>
      {children}
    </dialog>
  )
}
