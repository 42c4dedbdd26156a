export {
  nowMs,
  startClock,
  activeKeys,
  listenToKeys,
  useKeys,
  messageOf,
  useLoaded,
  type Loaded,
  followLinks,
  go,
  route,
  setQuery,
  applyTheme,
  nextTheme,
  theme,
} from './router.ts'
export { Dialog, Block, CommandLine, Diff, Preview, Text } from './text.tsx'
export { Badge, Bars, Failure, Meter, Outcome, Spark, VerdictGlyph } from './status.tsx'
export { VirtualList } from './virtual-list.tsx'
