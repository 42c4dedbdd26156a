import {
  Editor,
  isKeyRelease,
  matchesKey,
  ProcessTerminal,
  TuiMainScreen,
  type AutocompleteItem,
  type Component,
  type TuiMainScreenRenderState,
  CombinedAutocompleteProvider,
  type AutocompleteSuggestions,
} from '@earendil-works/pi-tui'
import type { Theme } from '../host.ts'
import { answerKeys, liveLines, statusLine, blockLines } from '../screen/live-lines.ts'
import type { Face, Session } from '../session/session.ts'
import { isSettled, type Block, type Screen } from '../screen/screen.ts'
import { harmless } from '@donecheck/core/internal/base'
import type { SlashCommand } from '../commands.ts'

/** Never clears the scrollback: it holds what the user had on the screen before. */
class KeptScrollback extends ProcessTerminal {
  override write(data: string): void {
    super.write(data.replaceAll('\u001B[3J', ''))
  }
}

const escape = '\u001B'

const keptLines = 300

interface TerminalFaceOptions {
  readonly session: Session
  readonly theme: Theme
  readonly history: readonly string[]
}

export function terminalFace({ session, theme, history }: TerminalFaceOptions): Face {
  const terminal = new KeptScrollback()
  const tui = new TuiMainScreen(terminal)
  const transcript = new Transcript(theme)
  const editor = editorOf(tui, { session, theme, history })
  let screen = session.screen
  const live = lines((width) => liveLines(screen, width).map(theme.paint))
  const status = lines((width) => [theme.quiet(statusLine(screen, width - 1))])
  for (const part of [transcript, live, lines(() => ['']), editor, status]) tui.addChild(part)
  listenToKeys(tui, { session, editor })
  const above = () => tui.captureRenderState().previousViewportTop
  const dropTop = (maxLines: number): void => {
    const gone = transcript.dropTop(maxLines)
    if (gone.blocks === 0) return
    tui.restoreRenderState(without(gone.lines, tui.captureRenderState()))
    session.dropped(gone.blocks)
  }
  // A new width redraws all kept blocks; what scrolled away belongs to the terminal.
  process.stdout.prependListener('resize', () => dropTop(above()))
  tui.setFocus(editor)
  tui.start()
  return {
    show(next) {
      screen = next
      transcript.show(next)
      if (above() > keptLines * 2) dropTop(above() - keptLines)
      tui.requestRender()
    },
    prefill: (text) => editor.setText(text),
    close() {
      tui.renderNow()
      tui.stop()
    },
  }
}

function without(lineCount: number, state: TuiMainScreenRenderState): TuiMainScreenRenderState {
  return {
    ...state,
    previousLines: state.previousLines.slice(lineCount),
    cursorRow: state.cursorRow - lineCount,
    hardwareCursorRow: state.hardwareCursorRow - lineCount,
    maxLinesRendered: state.maxLinesRendered - lineCount,
    previousViewportTop: state.previousViewportTop - lineCount,
  }
}

function editorOf(tui: TuiMainScreen, { session, theme, history }: TerminalFaceOptions): Editor {
  const { accent, quiet } = theme
  const selectList = {
    selectedPrefix: accent,
    selectedText: accent,
    description: quiet,
    scrollInfo: quiet,
    noMatch: quiet,
  }
  const editor = new Editor(tui, { borderColor: quiet, selectList }, { autocompleteMaxVisible: 8 })
  for (const words of history.toReversed()) editor.addToHistory(words)
  const commands = session.commands().map((command) => completable(command, session))
  editor.setAutocompleteProvider(new HarmlessCompletions(commands, session.host.workFolder))
  editor.onSubmit = (text) => {
    if (text.trim() !== '') editor.addToHistory(text)
    void session.submit(text)
  }
  return editor
}

function listenToKeys(tui: TuiMainScreen, keyboard: Keyboard): void {
  const { editor } = keyboard
  let isChoosing = false
  tui.addInputListener((data) => {
    const isSent = matchesKey(data, 'enter')
    // Sends the text as typed unless the user picked a completion with the arrow keys.
    if (isSent && !isChoosing && editor.isShowingAutocomplete()) editor.handleInput(escape)
    isChoosing = editor.isShowingAutocomplete() && (matchesKey(data, 'up') || matchesKey(data, 'down'))
    return onKey(data, keyboard) ? { consume: true } : undefined
  })
}

function lines(render: (width: number) => readonly string[]): Component {
  return { render: (width) => [...render(width)], invalidate: () => undefined }
}

interface Keyboard {
  readonly session: Session
  readonly editor: Editor
}

function onKey(data: string, keyboard: Keyboard): boolean {
  if (isKeyRelease(data)) return false
  const { session, editor } = keyboard
  if (isAnswer(data, keyboard)) return true
  const isAskedTwice = session.screen.hint === leaveHint
  session.typed()
  if (matchesKey(data, 'ctrl+c')) onControlC(keyboard, isAskedTwice)
  else if (matchesKey(data, 'ctrl+o')) session.toggleCalls()
  else if (matchesKey(data, 'ctrl+d') && editor.getText() === '') session.leave()
  else return isForQuestion(data, keyboard)
  return true
}

function isAnswer(data: string, { session, editor }: Keyboard): boolean {
  const [question] = session.screen.questions
  if (question === undefined || !question.isArmed || question.asksFor !== 'choice' || editor.getText() !== '')
    return false
  const answer = answerKeys(question.question).find(({ key }) => matchesKey(data, key))
  if (answer !== undefined) session.answerByKey(answer.key)
  return answer !== undefined
}

/** Handles Escape and an empty Enter while a question asks for more text. */
function isForQuestion(data: string, { session, editor }: Keyboard): boolean {
  const asksFor = session.screen.questions[0]?.asksFor ?? 'choice'
  if (asksFor === 'choice') return false
  const isBack = matchesKey(data, 'escape')
  const hasNoReason = asksFor === 'reason' && matchesKey(data, 'enter') && editor.getText() === ''
  if (isBack) {
    editor.setText('')
    session.backToChoice()
  } else if (hasNoReason) void session.submit('')
  return isBack || hasNoReason
}

const leaveHint = 'Ctrl-C once more leaves'

function onControlC({ session, editor }: Keyboard, isAskedTwice: boolean): void {
  if (session.interrupt()) return
  if (editor.getText() !== '') editor.setText('')
  else if (isAskedTwice) session.leave()
  else session.hint(leaveHint)
}

function completable(command: SlashCommand, session: Session) {
  const { name, help } = command
  return {
    name,
    description: help,
    getArgumentCompletions: async (prefix: string): Promise<AutocompleteItem[] | null> => {
      const choices = (await command.complete?.(session)) ?? []
      const found = choices.filter(({ value }) => value !== prefix && value.startsWith(prefix))
      return found.length === 0
        ? null
        : found.map(({ value, description }) => ({ value, label: value, description }))
    },
  }
}

interface LaidOut {
  readonly block: Block
  readonly before: Block | undefined
  readonly width: number
  readonly lines: readonly string[]
}

class Transcript implements Component {
  readonly #theme: Theme
  #blocks: readonly Block[] = []
  #laidOut: readonly LaidOut[] = []
  #above: Block | undefined
  #nowMs = 0

  constructor(theme: Theme) {
    this.#theme = theme
  }

  show({ blocks, nowMs }: Screen): void {
    this.#blocks = blocks
    this.#nowMs = nowMs
  }

  render(width: number): string[] {
    const known = new Map(this.#laidOut.map((one) => [one.block, one]))
    this.#laidOut = this.#blocks.map((block, index) => {
      const before = index === 0 ? this.#above : this.#blocks[index - 1]
      const earlier = known.get(block)
      if (earlier?.width === width && earlier.before === before && isSettled(block)) return earlier
      const lines = blockLines(block, before, width, this.#nowMs).map(this.#theme.paint)
      return { block, before, width, lines }
    })
    return this.#laidOut.flatMap(({ lines }) => lines)
  }

  invalidate(): void {
    this.#laidOut = []
  }

  /** Drops settled blocks at the top, up to maxLines. @returns how many blocks and lines went */
  dropTop(maxLines: number): { readonly blocks: number; readonly lines: number } {
    let [blocks, lines] = [0, 0]
    for (const one of this.#laidOut) {
      if (lines + one.lines.length > maxLines || !isSettled(one.block)) break
      lines += one.lines.length
      blocks += 1
      this.#above = one.block
    }
    this.#laidOut = this.#laidOut.slice(blocks)
    this.#blocks = this.#blocks.slice(blocks)
    return { blocks, lines }
  }
}

type Asked = Parameters<CombinedAutocompleteProvider['getSuggestions']>

export class HarmlessCompletions extends CombinedAutocompleteProvider {
  override async getSuggestions(...asked: Asked): Promise<AutocompleteSuggestions | null> {
    const found = await super.getSuggestions(...asked)
    const items = (found?.items ?? []).filter(({ value, label, description = '' }) =>
      [value, label, description].every(isHarmless),
    )
    return found === null || items.length === 0 ? null : { ...found, items }
  }
}

function isHarmless(text: string): boolean {
  return harmless(text) === text && !/[\t\n\u2028\u2029]/.test(text)
}
