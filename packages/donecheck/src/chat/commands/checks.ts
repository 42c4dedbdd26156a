/** `/until` and `/checks`: what decides that it is done. */
import { oneLine } from '@donecheck/core/base'
import type { RunState } from '@donecheck/core/state'
import { goalControl } from '@donecheck/engine/compose'
import { verdictLines, type Line } from '@donecheck/engine/report'
import type { CommandSession, SlashCommand } from './command.ts'
import { plain, quiet, unquoted } from './said.ts'

export const until: SlashCommand = {
  name: 'until',
  argument: '"<command>"',
  help: 'add a check: it is done once this command exits with 0',
  async perform(words, session) {
    const { host, run, show } = session
    const command = unquoted(words)
    if (command === '') {
      showChecks(session)
      return
    }
    if (!(await host.addCheck(command))) {
      show([quiet(`${oneLine(command, 200)} decides already`)])
      return
    }
    if (run !== undefined && run.goal.status !== 'complete')
      await goalControl(host.store).change(
        run.runId,
        { kind: 'checks-added', checks: [{ name: command, command }] },
        { by: host.person },
      )
    show([
      plain(
        `until: ${host
          .checks()
          .map((name) => oneLine(name, 200))
          .join(' · ')}`,
      ),
    ])
  },
}

export const checks: SlashCommand = {
  name: 'checks',
  argument: '',
  help: 'what decides that it is done, and what it said last',
  perform: (_words, session) => showChecks(session),
}

function showChecks({ host, run, show, isStale }: CommandSession): void {
  const named = host.checks()
  const lines =
    run === undefined ? named.map((name) => plain(`  · ${name}  (not asked yet)`)) : checkLines(run)
  show(lines.length === 0 ? [quiet('no check is given: /until "npm test" adds one')] : lines)
  if (isStale && run !== undefined) show([staleLine])
}

/** Below what was said of files that are no longer there. */
export const staleLine = quiet('  files were moved by /undo since then: the next message has them checked')

function checkLines({ settings, checks: known }: RunState): readonly Line[] {
  return settings.verifiers
    .filter(({ role }) => role !== 'guard')
    .flatMap(({ name, required }) => {
      const latest = known[name]?.latest
      if (latest === undefined) return [plain(`  · ${oneLine(name, 100)}  (not asked yet)`)]
      const weight = required ? '' : ' (does not decide)'
      return verdictLines(latest).map(({ tone, text }, index) => ({
        tone,
        text: index === 0 ? `  ${text}${weight}` : `  ${text}`,
      }))
    })
}
