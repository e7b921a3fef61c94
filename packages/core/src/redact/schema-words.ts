const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
const ABOUT = new Set([
  ...[
    'type',
    'title',
    'description',
    'format',
    'pattern',
    'minLength',
    'maxLength',
    'nullable',
    'optional',
    'required',
  ],
  ...['readOnly', 'writeOnly', 'deprecated', 'sensitive', 'placeholder', '$ref', '$comment', 'contentEncoding', 'in'],
])

/** Whether an object says of what kind a value is, as a JSON schema does, instead of holding it. */
export function isSchema(read: (key: string) => unknown): boolean {
  const type = read('type')
  const types: readonly unknown[] = Array.isArray(type) ? type : [type]
  return types.length > 0 && types.every((one) => typeof one === 'string' && TYPES.has(one))
}

/** Whether a member of a schema is about the value; `default`, `const` and the like hold one. */
export const isAbout = (key: string): boolean => ABOUT.has(key)
