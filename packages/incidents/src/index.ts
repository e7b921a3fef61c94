export { incidents } from './all-incidents.js'
export { emptyWorld, type Incident, isAverted } from './incident.js'
export type { Mode, Report, Task, ToolAnswer, Variant, World } from './plot.js'
export { rewordings } from './rewordings.js'
