import { textInWord, type ReadWord } from '../words/word.ts'
import { optionTable, readOptions } from './options.ts'
import { elsewhere, joinWords, scriptStarted, type Start, type Started } from './started.ts'

const sshOptions = optionTable(
  '1 2 4 6 A a C f G g K k M N n q s T t V v X x Y y B: b: c: D: E: e: F: I: i: J: L: l: m: O: o: P: p: Q: R: S: W: w:',
)

const ownCommand = /^(?:ProxyCommand|LocalCommand|KnownHostsCommand|RemoteCommand)[ =]+(.+)$/is

/** `ssh host 'text'`, which the shell of another machine reads; settings of it can run something here. */
export function sshStarted(words: readonly ReadWord[], through: string): Started {
  const { ends, used } = readOptions(words, 1, sshOptions)
  const local = used.flatMap(({ name, value }): readonly Start[] => {
    const command = ownCommand.exec(value?.guess ?? '')?.[1]
    if (name !== 'o' || command === undefined || value === undefined) return []
    return [scriptStarted(textInWord(value, command), through).start]
  })
  const remote = ends.flatMap((end): readonly Start[] => {
    // Options may stand behind the host too.
    const behind = readOptions(words, end + 1, sshOptions)
    return behind.ends.flatMap((start) =>
      start < words.length ? [scriptStarted(joinWords(words.slice(start)), through).start] : [],
    )
  })
  const input: readonly Start[] = remote.length === 0 ? [{ kind: 'input', through, isBash: false }] : []
  return {
    starts: [...remote, ...local, ...input],
    obstacles: [elsewhere(`"${through}" runs it on another machine`)],
  }
}

/** Programs that run words somewhere else behind a great many options of their own. */
const containers =
  /^(docker|podman|nerdctl|docker-compose|podman-compose|kubectl|oc|lxc|lxc-attach|incus|vagrant|multipass|bwrap|firejail|unshare|nsenter|setpriv|systemd-nspawn|proot|distrobox|toolbox|flatpak|snap|singularity|apptainer)$/
const runsHere = /^(bwrap|firejail|unshare|nsenter|setpriv|systemd-nspawn|proot|lxc-attach)$/

export function isContainer(name: string): boolean {
  return containers.test(name)
}

/** Every word behind may be the first of what is run: what cannot be told is looked at in all ways. */
export function containerStarted(words: readonly ReadWord[], name: string): Started {
  const verb = words.findIndex(
    ({ text }, index) => index > 0 && /^(exec|run|ssh|enter|shell|debug)$/.test(text ?? ''),
  )
  const from = runsHere.test(name) ? 1 : verb + 1
  if (from === 0 || from >= words.length) return {}
  const dashes = words.findIndex(({ text }, index) => index >= from && text === '--')
  const behind = dashes < 0 ? words.slice(from) : words.slice(dashes + 1)
  const places =
    dashes < 0
      ? behind
          .slice(0, maxPlaces)
          .flatMap(({ text, written }, index) => (isArgument(text, written) ? [] : [index]))
      : [0]
  const starts = places
    .filter((place) => place < behind.length)
    .map((place): Start => ({ kind: 'words', through: name, words: behind.slice(place) }))
  const away = elsewhere(`"${name}" runs it in another place`)
  // Whoever reaches no engine starts nothing by it: no more than a program of the project.
  const subject = /^(?:docker|podman|nerdctl)(?:-compose)?$/.test(name) ? { subject: name } : {}
  return { starts, obstacles: [{ ...away, ...subject }] }
}

/** An option, or a mount such as `"$PWD":/app`. */
function isArgument(text: string | null, written: string): boolean {
  return text === null ? written.includes(':/') : text.startsWith('-')
}

const maxPlaces = 40
