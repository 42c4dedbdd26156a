import { line } from '@donecheck/core/internal/base'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { Theme } from '../host.ts'
import { blockLines, answerKeys, questionLines } from '../screen/live-lines.ts'
import { isSettled, type Block, type Screen } from '../screen/screen.ts'
import type { Face, Session } from '../session/session.ts'

interface PlainFaceOptions {
  readonly session: Session
  readonly theme: Theme
  readonly input: Readable
  readonly output: Writable
  readonly history: readonly string[]
}

/** The terminal or the screen reader breaks lines itself. */
const width = 10_000

export function plainFace({ session, theme, input, output, history }: PlainFaceOptions): Face {
  const line = createInterface({
    input,
    output,
    prompt: '> ',
    history: [...history],
    completer: (typed: string) => [namesFor(typed, session), typed],
  })
  let printed: Block | undefined
  let askedFor = ''
  let wasWorking = false
  const print = (texts: readonly string[]): void => {
    for (const text of texts) output.write(`${text}\n`)
  }
  const printBlocks = ({ blocks, nowMs }: Screen): void => {
    const open = blocks.findIndex((block) => !isSettled(block))
    const settled = open === -1 ? blocks : blocks.slice(0, open)
    for (const block of settled) {
      if (block.kind !== 'said')
        print(blockLines(withOpenEnd(block), undefined, width, nowMs).map(theme.paint))
      printed = block
    }
    if (settled.length > 0) session.dropped(settled.length)
  }
  line.on('line', (text) => void onLine(text, session))
  line.on('SIGINT', () => session.interrupt() || session.leave())
  let isClosed = false
  line.on('close', () => {
    isClosed = true
    session.leave()
  })
  return {
    show(screen) {
      printBlocks(screen)
      const [question] = screen.questions
      const asks = question?.isArmed === true ? `${question.question.callId}:${question.asksFor}` : ''
      if (question !== undefined && asks !== '' && asks !== askedFor)
        print(questionLines(question, screen.questions.length, width).map(theme.paint))
      askedFor = asks
      const isIdle = screen.status.word === 'ready'
      if (!isClosed && isIdle && (wasWorking || printed !== undefined)) line.prompt(true)
      wasWorking = !isIdle
      printed = undefined
    },
    prefill(text) {
      if (isClosed) return
      if (lineEnd.test(text)) print([...text.split(lineEnd), severalLines])
      else line.write(text)
    },
    close: () => line.close(),
  }
}

/** Readline treats each of these as Enter and would send the text before it. */
const lineEnd = /[\n\r\u2028\u2029]/
const severalLines = 'These are several lines, so they are not put into the line: type what you want instead.'

function withOpenEnd(block: Block): Block {
  return block.kind === 'call' && block.end?.status !== 'ok' ? { ...block, isOpen: true } : block
}

/** A single letter typed while a question is open can only answer that question. */
async function onLine(text: string, session: Session): Promise<void> {
  const [question] = session.screen.questions
  const key = text.trim()
  if (question?.asksFor !== 'choice' || !/^\p{L}$/u.test(key)) {
    await session.submit(text)
    return
  }
  const keys = answerKeys(question.question).map((one) => one.key)
  const known = keys.find((one) => one === key)
  if (known !== undefined && question.isArmed) {
    session.answerByKey(known)
    return
  }
  session.typed()
  const problem =
    known === undefined
      ? `"${key}" is no answer to the question; there are: ${keys.join(', ')}`
      : `not yet: "${key}" came before the question; answer once it stands here`
  session.show([line('warning', `! ${problem}`)])
}

function namesFor(typed: string, session: Session): string[] {
  const names = session.commands().map(({ name }) => `/${name}`)
  return names.filter((name) => name.startsWith(typed))
}
