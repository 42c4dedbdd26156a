/** Commands that only read, whatever else is true: they may run without a question. */
import type { FoundCommand } from '../decomposition.ts'
import { readingProgram } from './reading-programs.ts'
import { readsBySubcommand } from './reading-subcommands.ts'

/** Whatever their arguments are. */
const withAnyArguments: ReadonlySet<string> = new Set(
  (
    'basename cat cd cmp comm cut df diff dirname du echo expr false fold grep egrep fgrep head id ls md5sum nl nproc od paste printf ' +
    'pwd readlink realpath rev seq sha1sum sha256sum sha512sum cksum sleep stat tac tail test [ [[ tr true : type uname wc which ' +
    'whoami hexdump numfmt exit return break continue shift free uptime zcat read'
  ).split(' '),
)

/** It changes nothing; words that are only known when it runs are allowed where they cannot matter. */
export function onlyReads({ words }: FoundCommand): boolean {
  const program = bareName(words[0]?.text ?? null)
  if (program === null) return false
  if (withAnyArguments.has(program)) return true
  const args = words.slice(1)
  return readingProgram(program)?.(args) ?? readsBySubcommand(program, args) ?? false
}

/** Whether its arguments cannot make it do anything but read. */
export function onlyReadsWithAny({ words }: FoundCommand): boolean {
  const program = bareName(words[0]?.text ?? null)
  return program !== null && withAnyArguments.has(program)
}

/** A program at another place may be another program. */
function bareName(program: string | null): string | null {
  const name = program?.replace(/^(?:\/usr)?\/bin\//u, '') ?? null
  return name === null || (name.includes('/') && name !== '/') ? null : name
}
