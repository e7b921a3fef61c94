export { type CheckCode, type CheckResult, checkTrajectory, type Problem } from './check.js'
export { createTrajectory } from './create.js'
export {
  type ChangedPart,
  diffTrajectories,
  type EnvelopeChange,
  type Moved,
  type TrajectoryDiff,
} from './diff.js'
export { type ExportOptions, type ExportResult, exportTrajectory } from './export.js'
export { formatDiff } from './format-diff.js'
export { indexTrajectory } from './index-trajectory.js'
export { LIMITS } from './limits.js'
export { loadTrajectory } from './load.js'
export { makeFolders } from './make-folders.js'
export { openTrajectory } from './open.js'
export { parseTurns, writeTurns } from './schedule-text.js'
export { type SealedFile, type SealResult, sealTrajectory } from './seal.js'
export type {
  BoundaryCount,
  ChildCount,
  EnvelopeHead,
  IndexedParts,
  Manifest,
  OpenTrajectory,
  OutsideRun,
  Trajectory,
  TrajectoryParts,
  Uncovered,
} from './trajectory.js'
