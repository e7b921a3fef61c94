/** What a rule of the scanner is given: texts to look at, and where to say what it found. */
interface RuleContext {
  createTranslator(): (messageId: string) => { readonly messageId: string }
  report(found: { readonly message: { readonly messageId: string }; readonly range: readonly [number, number] }): void
  ignore(): void
}

interface Rule {
  readonly meta: { readonly id: string }
  create(context: RuleContext, options: object): { file?(source: object): unknown }
}

/** Something that looks like a secret: where in the text, and which rule says so. */
export interface Sighting {
  readonly start: number
  /** Such as `@secretlint/secretlint-rule-github (GITHUB_TOKEN)`. */
  readonly rule: string
}

let loaded: Promise<readonly Rule[]> | undefined

/** Loaded when something is exported: agents that only record never pay for it. */
const rules = (): Promise<readonly Rule[]> => {
  loaded ??= import('@secretlint/secretlint-rule-preset-recommend').then(
    (preset) => preset.rules as unknown as readonly Rule[],
  )
  return loaded
}

/**
 * Runs secretlint's recommended rules over a text. The rules are called directly: through secretlint's own core a
 * recorded line `# secretlint-disable` would switch the gate off, and each call would leave performance marks behind.
 */
export async function scan(content: string): Promise<Sighting[]> {
  const found: Sighting[] = []
  const source = {
    content,
    filePath: 'fixture.txt',
    ext: '.txt',
    contentType: 'text',
    getFilePath: () => 'fixture.txt',
    indexToPosition: () => ({ line: 1, column: 0 }),
    locationToRange: () => [0, 0],
  }
  for (const rule of await rules()) {
    const context: RuleContext = {
      createTranslator: () => (messageId) => ({ messageId }),
      report: ({ message, range }) => {
        found.push({ start: range[0], rule: `${rule.meta.id} (${message.messageId})` })
      },
      ignore: () => {},
    }
    await rule.create(context, {}).file?.(source)
  }
  return found
}
