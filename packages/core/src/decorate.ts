import { RepriseError } from './errors.js'

/** A method as a decorator meets it. */
export type AnyMethod = (...args: never[]) => unknown

/** A method decorator that TypeScript accepts in its standard and in its legacy form. */
export interface MethodDecorator {
  <F extends AnyMethod>(method: F, context: ClassMethodDecoratorContext): F
  <F extends AnyMethod>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<F>,
  ): TypedPropertyDescriptor<F>
}

/**
 * The decorator form of a boundary. It takes standard (TC39) and legacy calls alike, since some compilers lower
 * only the latter; anything that is no method is refused.
 */
export function decorate(kind: string, name: string, wrap: (fn: AnyMethod) => AnyMethod): MethodDecorator {
  const decorator = (...given: unknown[]): unknown => {
    const [first, second, third] = given
    if (typeof first === 'function' && isMethodContext(second)) return wrap(first as AnyMethod)
    if (isMethodDescriptor(third)) return { ...third, value: wrap(third.value) }
    throw new RepriseError('BAD_DECORATOR', {
      message: `@${kind}('${name}') stands on ${describe(second, third)}; it can only decorate a method`,
      details: { kind, name },
      next: `wrap the function instead: const f = ${kind}('${name}', async (…) => …)`,
    })
  }
  return decorator as MethodDecorator
}

const isMethodContext = (context: unknown): boolean =>
  typeof context === 'object' && context !== null && (context as { kind?: unknown }).kind === 'method'

const isMethodDescriptor = (
  descriptor: unknown,
): descriptor is TypedPropertyDescriptor<AnyMethod> & { value: AnyMethod } =>
  typeof descriptor === 'object' &&
  descriptor !== null &&
  typeof (descriptor as { value?: unknown }).value === 'function'

function describe(context: unknown, descriptor: unknown): string {
  if (typeof context === 'object' && context !== null && 'kind' in context) return `a ${String(context.kind)}`
  if (typeof descriptor === 'object' && descriptor !== null) return 'an accessor'
  if (typeof descriptor === 'number') return 'a parameter'
  return context === undefined ? 'a class' : 'a property'
}
