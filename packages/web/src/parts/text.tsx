/** Text of models, tools and people, always as text: nothing in it can become markup, hide or turn around. */
import type { JSX, ComponentChildren } from 'preact'
import { useSignal } from '@preact/signals'
import { diffLines, visiblePieces, type DiffLine } from '../fold/index.ts'
import { useEffect, useRef } from 'preact/hooks'

export function Text({ value }: { readonly value: string }): JSX.Element {
  return (
    <bdi>
      {visiblePieces(value).map(({ text, isMark }) => (isMark ? <span class="unseen">{text}</span> : text))}
    </bdi>
  )
}

/** A longer text is rendered only on request. */
const shownCharacters = 20_000

export function Block({ value }: { readonly value: string }): JSX.Element {
  const isWhole = useSignal(false)
  const isLong = value.length > shownCharacters && !isWhole.value
  return (
    <>
      <pre tabIndex={0}>
        <Text value={isLong ? value.slice(0, shownCharacters) : value} />
      </pre>
      {isLong && (
        <button type="button" onClick={() => (isWhole.value = true)}>
          Show all {value.length.toLocaleString('en-US')} characters
        </button>
      )}
    </>
  )
}

const signs: Readonly<Record<DiffLine['kind'], string>> = { added: '+', removed: '−', same: ' ', head: '' }

const shownLines = 400

export function Diff({ lines }: { readonly lines: readonly DiffLine[] }): JSX.Element {
  const isWhole = useSignal(false)
  const shown = isWhole.value ? lines : lines.slice(0, shownLines)
  return (
    <>
      <pre class="diff" tabIndex={0}>
        {shown.map(({ kind, text }) => (
          <div class={kind}>
            <span class="sign">{signs[kind]}</span>
            <Text value={text === '' ? ' ' : text} />
          </div>
        ))}
      </pre>
      {shown.length < lines.length && (
        <button type="button" onClick={() => (isWhole.value = true)}>
          Show all {lines.length.toLocaleString('en-US')} lines
        </button>
      )}
    </>
  )
}

export function Preview({ value }: { readonly value: string }): JSX.Element {
  const isDiff = /^(?:--- |@@ |\*\*\* Begin Patch)/m.test(value)
  return isDiff ? <Diff lines={diffLines(value)} /> : <Block value={value} />
}

export function CommandLine({ command }: { readonly command: string }): JSX.Element {
  const isCopied = useSignal(false)
  const copy = () => {
    void navigator.clipboard.writeText(command).then(() => (isCopied.value = true))
  }
  return (
    <span class="command">
      <code>
        <Text value={command} />
      </code>
      <button type="button" class="quiet-button" onClick={copy} aria-label={`Copy ${command}`}>
        {isCopied.value ? 'copied' : 'copy'}
      </button>
    </span>
  )
}

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
