import { AGENT_TOKENS } from './agent-tokens.js'
import { CLOUD_TOKENS } from './cloud-tokens.js'
import { CODE_TOKENS } from './code-tokens.js'
import { MODEL_TOKENS } from './model-tokens.js'
import { SERVICE_TOKENS } from './service-tokens.js'
import type { TokenShape } from './token-shape.js'

/** Formats from the providers' documentation and from what secret scanners agree on; lengths are lower bounds. */
export const TOKEN_SHAPES: readonly TokenShape[] = [
  ...MODEL_TOKENS,
  ...CLOUD_TOKENS,
  ...CODE_TOKENS,
  ...SERVICE_TOKENS,
  ...AGENT_TOKENS,
]
