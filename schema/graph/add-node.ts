import type { z } from 'zod'
import { ServiceError } from '../../relayer/service-error.ts'
import type { OperationContext } from '../define/context.ts'
import { nodeNamesOf, type GraphBuilder } from './builder.ts'
import { bindKey, openKeys } from './global-ids.ts'
import { describe, type TypeMapper, type TypeParameter } from './shape-to-type.ts'

interface CommonTerms<Value> {
  /** Name of the type, if not that of the shape. */
  name?: string
  /** Members that are no fields: the node's id, or an edge, says the same. */
  without?: readonly string[]
  /** Members that another field replaces, each with the reason. */
  deprecated?: Readonly<Record<string, string>>
  /** Identifies a value among those of its type; of an account's own, among those of the account. */
  keyOf(value: Value): string
}

/** A thing that everybody may see; `load` returns one value, or null, for each key. */
export interface PublicNode<Value> extends CommonTerms<Value> {
  load(keys: readonly string[], context: OperationContext): Promise<readonly (Value | null)[]>
}

/** A thing of one account. Its id is bound to the account, and `load` gets only keys that the caller's ids had. */
export interface OwnedNode<Value> extends CommonTerms<Value> {
  loadOwn(
    accountId: string,
    keys: readonly string[],
    context: OperationContext,
  ): Promise<readonly (Value | null)[]>
}

/** A type of nodes that a field may return by a value, or by its key. */
export type NodeRef = Extract<TypeParameter, object> & { name: string }

/**
 * Makes the values of a shape nodes: their type has an `id`, and `node` finds them again. All ids of one round are
 * loaded together, and each once per request.
 */
export function addNode<Shape extends z.ZodObject>(
  builder: GraphBuilder,
  types: TypeMapper,
  shape: Shape,
  terms: PublicNode<z.input<Shape>> | OwnedNode<z.input<Shape>>,
): NodeRef {
  const name = terms.name ?? types.nameOf(shape)
  const { without = [], deprecated = {} } = terms
  const ref = builder.loadableNode(name, {
    ...describe(shape),
    ...nodeOptions(name, terms),
    fields: (t: never) => types.fields(t, shape, name, { without: ['id', ...without], deprecated }),
  } as never) as unknown as NodeRef
  types.adopt(shape, ref, name)
  nodeNamesOf(builder).add(name)
  return ref
}

/** The id and the loader of nodes, for types that are written by hand. */
export function nodeOptions<Value>(typename: string, terms: PublicNode<Value> | OwnedNode<Value>) {
  const isOwned = 'loadOwn' in terms
  return {
    id: {
      description: 'Opaque id for `node` and caches.',
      resolve: (value: Value, _: unknown, context: OperationContext) =>
        isOwned ? bindKey(context, typename, terms.keyOf(value)) : terms.keyOf(value),
    },
    load: (ids: readonly string[], context: OperationContext) =>
      isOwned ? loadOwn(typename, terms, ids, context) : terms.load(ids, context),
  }
}

async function loadOwn<Value>(
  typename: string,
  { loadOwn: load }: OwnedNode<Value>,
  ids: readonly string[],
  context: OperationContext,
): Promise<readonly (Value | null)[]> {
  const { accountId, keys } = await openKeys(context, typename, ids)
  const wanted = [...new Set(keys.filter((key) => key !== null))]
  if (wanted.length === 0) return keys.map(() => null)
  const loaded = await load(accountId, wanted, context)
  return keys.map((key) => (key === null ? null : (loaded[wanted.indexOf(key)] ?? null)))
}

/** Marks a value of an interface with its type, which `node` reads; the mark is no member of its JSON. */
export const withTypename = <Value extends object>(value: Value, typename: string): Value =>
  Object.defineProperty(value, '__typename', { value: typename, enumerable: false })

/** The answer; null where an operation found nothing, or refused what a key had said. */
export async function orNothing<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ServiceError && (error.kind === 'not-found' || error.kind === 'bad-request'))
      return null
    throw error
  }
}
