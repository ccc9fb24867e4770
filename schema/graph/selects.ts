import { Kind, type GraphQLResolveInfo, type SelectionSetNode } from 'graphql'

/** Whether a field of this name is selected anywhere below a field, so that what it needs is read. */
export const selects = (info: GraphQLResolveInfo, name: string): boolean =>
  findSelected(info, (field) => field === name, true)

/** Whether any of these fields is selected of the thing that a field returns, and not only of things below it. */
export const selectsOwn = (info: GraphQLResolveInfo, names: ReadonlySet<string>): boolean =>
  findSelected(info, (field) => names.has(field), false)

function findSelected(
  { fieldNodes, fragments }: GraphQLResolveInfo,
  isWanted: (field: string) => boolean,
  isDeep: boolean,
): boolean {
  const seen = new Set<string>()
  const isIn = ({ selections }: SelectionSetNode): boolean =>
    selections.some((node) => {
      if (node.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments[node.name.value]
        if (!fragment || seen.has(node.name.value)) return false
        seen.add(node.name.value)
        return isIn(fragment.selectionSet)
      }
      if (node.kind === Kind.INLINE_FRAGMENT) return isIn(node.selectionSet)
      if (isWanted(node.name.value)) return true
      return isDeep && node.selectionSet !== undefined && isIn(node.selectionSet)
    })
  return fieldNodes.some(({ selectionSet }) => selectionSet !== undefined && isIn(selectionSet))
}
