import type { ComponentChildren, JSX } from 'preact'
import { useSignal } from '@preact/signals'
import type { TreeChanges } from '../../data/index.ts'
import { filesOfDiff, type Change, type FileDiff } from '../../fold/index.ts'
import { Diff, Text, useLoaded } from '../../parts/index.ts'
import { openTab, type TabProps } from './run-feed.ts'

const pageLength = 50

export function ChangesTab({ feed, source }: TabProps): JSX.Element {
  const { changes, turns, state } = feed.shown.value.view
  return (
    <>
      <h2>In the work folder, as it is now</h2>
      {state !== undefined && (
        <WorkFolder source={source} runId={state.runId} at={`${turns.length} ${state.phase.kind}`} />
      )}
      <h2>Call by call</h2>
      {changes.length === 0 ? (
        <p class="nothing">No call that is on record says what it changed.</p>
      ) : (
        <Pages items={changes} noun="changes" view={(change) => <CallChange change={change} />} />
      )}
    </>
  )
}

interface WorkFolderProps extends Pick<TabProps, 'source'> {
  readonly runId: string
  readonly at: string
}

function WorkFolder({ source, runId, at }: WorkFolderProps): JSX.Element {
  const tree = useLoaded(() => source.treeChanges(runId), [runId, at]).value
  if (tree.kind === 'loading') return <p class="nothing">Comparing the trees…</p>
  if (tree.kind === 'failed') return <NotCompared reason={tree.message} />
  return <TreeFiles tree={tree.value} />
}

function NotCompared({ reason }: { readonly reason: string }): JSX.Element {
  return (
    <p class="nothing">
      Not shown: <Text value={reason} />
    </p>
  )
}

function TreeFiles({ tree }: { readonly tree: TreeChanges }): JSX.Element {
  if (tree.kind === 'not-compared') return <NotCompared reason={tree.reason} />
  const { diff, unknown } = tree
  const files = filesOfDiff(diff)
  if (files.length + unknown.length === 0)
    return <p class="nothing">Nothing differs from the baseline tree.</p>
  return (
    <>
      <Pages items={files} noun="files" view={(file) => <FileBlock file={file} />} />
      {unknown.length > 0 && (
        <p>
          Not shown as text: <Text value={unknown.join(', ')} />
        </p>
      )}
    </>
  )
}

interface PagesProps<Item> {
  readonly items: readonly Item[]
  readonly noun: string
  readonly view: (item: Item) => JSX.Element
}

function Pages<Item>({ items, noun, view }: PagesProps<Item>): JSX.Element {
  const shown = useSignal(pageLength)
  return (
    <>
      {items.slice(0, shown.value).map(view)}
      {shown.value < items.length && (
        <button type="button" onClick={() => (shown.value += pageLength)}>
          Show more of {items.length} {noun}
        </button>
      )}
    </>
  )
}

function CallChange({ change }: { readonly change: Change }): JSX.Element {
  return (
    <FileBlock file={change}>
      <p>
        <button type="button" class="link" onClick={() => openTab('events', String(change.sequence))}>
          turn {change.turn}
        </button>
      </p>
    </FileBlock>
  )
}

interface FileBlockProps {
  readonly file: FileDiff
  readonly children?: ComponentChildren
}

function FileBlock({ file: { path, lines }, children }: FileBlockProps): JSX.Element {
  const count = (kind: string) => lines.filter((line) => line.kind === kind).length
  return (
    <details class="change" open>
      <summary>
        <code>
          <Text value={path} />
        </code>
        <span class="good figure">+{count('added')}</span> <span class="bad figure">−{count('removed')}</span>
      </summary>
      {children}
      <Diff lines={lines} />
    </details>
  )
}
