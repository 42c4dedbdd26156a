import pc from 'picocolors'
import { donecheckVersion, UsageError } from '@donecheck/engine/base'
import type { Line } from '@donecheck/engine/report'
import { openChat } from '../../../chat/index.ts'
import { outputFormatOf, type RunFlags } from '../../options/flags.ts'
import { colouring, isColourWelcome } from '../../output/wrap.ts'
import { findDrives, type FoundDrive } from '../../agents/survey.ts'
import type { CliIo } from '../../process/io.ts'
import { resolveSettings } from '../../settings/settings.ts'
import { chatHost, SessionSettings } from '../../wiring/chat.ts'
import { type Settings, assertRunnable, withOpenStore } from '../../settings/store-folder.ts'

interface ChatFlags extends RunFlags {
  readonly plain?: boolean
}

export async function chatCommand(flags: ChatFlags, io: CliIo): Promise<number> {
  const settings = await withDriveFound(await resolveSettings(flags, io), io)
  if (outputFormatOf(flags) !== 'text')
    throw new UsageError('a session is for a person: for JSON there is donecheck run')
  assertRunnable(settings, io)
  const own = new SessionSettings(settings, io)
  await own.assertDrive()
  const checks: string[] = []
  await own.takeProjectTests((message) => void checks.push(message))
  if (checks.length === 0 && own.checks.length > 0) checks.push(`until: ${own.checks.join(' · ')}`)
  return withOpenStore(settings, io, async (store) => {
    const isColoured = isColourWelcome(io.stdout, io)
    const colours = pc.createColors(isColoured)
    const run = await openChat({
      host: chatHost(own, settings, store, io),
      theme: { paint: colouring(isColoured), accent: colours.cyan, quiet: colours.dim },
      isPlain: isPlain(flags, io),
      input: io.stdin,
      output: io.stdout,
      greeting: greetingOf(settings, checks),
    })
    if (run !== undefined) io.stdout.write(`to go on with it: donecheck resume ${run}\n`)
    return 0
  })
}

/** Uses the installed agent or model; asks if there are several. */
async function withDriveFound(settings: Settings, io: CliIo): Promise<Settings> {
  const { agent, model, baseUrl } = settings.config
  if ((agent ?? model ?? baseUrl) !== undefined) return settings
  const drives = await findDrives(io.environment)
  const [first] = drives
  const chosen = drives.length > 1 && io.stdin.isTTY === true ? await pickDrive(drives, io) : first
  if (chosen === undefined) return settings
  return { ...settings, config: { ...settings.config, [chosen.kind]: chosen.name } }
}

async function pickDrive(drives: readonly FoundDrive[], io: CliIo): Promise<FoundDrive | undefined> {
  const { isCancel, select } = await import('@clack/prompts')
  const options = drives.map((one) => ({ value: one, label: one.name, hint: one.why }))
  const streams = { input: io.stdin, output: io.stderr }
  const chosen = await select<FoundDrive>({ ...streams, message: 'Who works?', options })
  return isCancel(chosen) ? undefined : chosen
}

/** Screen readers, dumb terminals and pipes get plain lines. */
function isPlain({ plain = false }: ChatFlags, { environment, stdin, stdout }: CliIo): boolean {
  const { TERM: terminal, ACCESSIBLE: accessible = '' } = environment
  return plain || terminal === 'dumb' || accessible !== '' || stdin.isTTY !== true || stdout.isTTY !== true
}

function greetingOf({ config, workFolder }: Settings, checks: readonly string[]): readonly Line[] {
  const drive = config.agent ?? config.model
  return [
    { tone: 'strong', text: `donecheck ${donecheckVersion}` },
    { tone: 'quiet', text: [drive ?? 'no model or agent yet', workFolder].join(' · ') },
    { tone: 'quiet', text: checks[0] ?? 'no check yet: /until "npm test" adds one' },
    ...(drive === undefined
      ? [{ tone: 'warning' as const, text: 'choose what drives: /model claude, /model openai/gpt-5, …' }]
      : []),
    { tone: 'quiet', text: 'Say what is to be done. /help lists the commands.' },
  ]
}
