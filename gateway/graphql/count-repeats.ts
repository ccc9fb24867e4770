import { Kind, visit, type DocumentNode } from 'graphql'

/**
 * Counts how often fields without arguments are repeated within one selection, under any alias. No client needs that,
 * but each repetition runs for every item of a list, and lists have hundreds of items.
 */
export function countRepeats(document: DocumentNode): number {
  let repeats = 0
  visit(document, {
    [Kind.SELECTION_SET]({ selections }) {
      const plain = selections.flatMap((node) =>
        node.kind === Kind.FIELD && !node.arguments?.length ? [node.name.value] : [],
      )
      repeats += plain.length - new Set(plain).size
    },
  })
  return repeats
}
