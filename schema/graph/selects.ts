import { Kind, type GraphQLResolveInfo, type SelectionSetNode } from 'graphql'

/** Whether a field of this name is selected anywhere below a field, so that what it needs is read. */
export function selects({ fieldNodes, fragments }: GraphQLResolveInfo, name: string): boolean {
  const seen = new Set<string>()
  const isIn = ({ selections }: SelectionSetNode): boolean =>
    selections.some((node) => {
      if (node.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments[node.name.value]
        if (!fragment || seen.has(node.name.value)) return false
        seen.add(node.name.value)
        return isIn(fragment.selectionSet)
      }
      const isNamed = node.kind === Kind.FIELD && node.name.value === name
      return isNamed || (node.selectionSet !== undefined && isIn(node.selectionSet))
    })
  return fieldNodes.some(({ selectionSet }) => selectionSet !== undefined && isIn(selectionSet))
}
