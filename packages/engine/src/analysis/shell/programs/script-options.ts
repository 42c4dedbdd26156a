/** Programs of everyday that run a command which one of their options names. */
import { literalWord, type ReadWord } from '../words/word.ts'
import { scriptStarted, startsNothing, type Started } from './started.ts'

const connected = /^(?:-[a-z]*[ce]|--(?:sh-)?exec)(?:=(?<value>.+))?$/s
/** A command of an editor that is one of the shell. */
const escaped = /^[+:]*!(?<value>.+)$/s

/** Each pattern gives the value where it stands in the same word; otherwise it is the next one. */
const options: Readonly<Record<string, RegExp>> = {
  rsync: /^(?:-[a-zA-Z]*e|--rsh)(?:=(?<value>.+))?$/s,
  scp: /^-[a-zA-Z]*S(?<value>.+)?$/s,
  sftp: /^-[a-zA-Z]*S(?<value>.+)?$/s,
  tar: /^(?:-[a-zA-Z]*[IF]|--(?:use-compress-program|to-command|info-script|new-volume-script|rsh-command|rmt-command)|--checkpoint-action=exec)(?:=(?<value>.+))?$/s,
  sort: /^--compress-program(?:=(?<value>.+))?$/s,
  split: /^--filter(?:=(?<value>.+))?$/s,
  man: /^(?:-[a-zA-Z]*P|--pager|--html)(?:=(?<value>.+))?$/s,
  socat: /^(?:EXEC|SYSTEM|SHELL):(?<value>[^,]+)/is,
  nc: connected,
  ncat: connected,
  make: /^(?:SHELL|MAKE)=(?<value>.+)$/s,
  less: escaped,
  ex: escaped,
  vi: escaped,
  vim: escaped,
  nvim: escaped,
  zip: /^(?:-TT|--unzip-command)(?:=(?<value>.+))?$/s,
}

/** Undefined: it is no such program, or has no such option. */
export function scriptOptionStarted(name: string, words: readonly ReadWord[]): Started | undefined {
  const option = Object.hasOwn(options, name) ? options[name] : undefined
  if (option === undefined) return undefined
  const values = words.flatMap((word, index) => {
    const found = index === 0 ? null : option.exec(word.guess)
    if (found === null) return []
    const attached = found.groups?.['value']
    if (attached !== undefined)
      return [{ ...literalWord(attached, word.written), ...unknownIf(word, attached) }]
    return words[index + 1] ?? []
  })
  if (values.length === 0) return undefined
  const started = values.map((value) => scriptStarted(value, name))
  return {
    ...startsNothing,
    starts: started.map(({ start }) => start),
    obstacles: started.flatMap(({ obstacles }) => obstacles),
  }
}

function unknownIf({ text }: ReadWord, guess: string): Partial<ReadWord> {
  return text === null ? { text: null, guess } : {}
}
