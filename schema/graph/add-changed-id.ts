import type { GraphBuilder } from './builder.ts'
import { bindKey } from './global-ids.ts'
import { nodeNamesOf } from './builder.ts'
import type { GraphTools } from './graph-feature.ts'
import type { Payload } from './payloads.ts'

/** A thing of the account that a mutation changes or deletes without answering it. */
interface ChangedThing {
  mutation: string
  /** Name of the field. */
  field: string
  /** Type of the node. */
  typename: string
  description: string
  /** The node's key; null where nothing changed. */
  keyOf(payload: Payload): string | null
}

/** Adds the id of what a mutation changed to its payload, so that a cache can drop it or ask for it again. */
export function addChangedId(
  builder: GraphBuilder,
  { payloads }: Pick<GraphTools, 'payloads'>,
  { mutation, field, typename, description, keyOf }: ChangedThing,
): void {
  const payload = payloads.get(mutation)
  if (!payload) throw new Error(`no mutation is named ${mutation}`)
  builder.objectField(payload, field, (t) =>
    t.id({
      nullable: true,
      description,
      async resolve(value, _, context) {
        const key = value.errors.length > 0 ? null : keyOf(value)
        return key && nodeNamesOf(builder).encode(typename, await bindKey(context, typename, key))
      },
    }),
  )
}
