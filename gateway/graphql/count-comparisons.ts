import { Kind, visit, type DocumentNode } from 'graphql'

/**
 * An upper bound of the pairs that validation compares to find out whether fields can be merged. It compares all
 * fields that answer under one name, and all fragments, with each other, so its work grows with the square of their
 * number. Plain leaves count a hundredth, because only their names are compared.
 */
export function countComparisons(document: DocumentNode): number {
  const costly = new Map<string, number>()
  const plain = new Map<string, number>()
  let fragments = 0
  visit(document, {
    [Kind.FIELD](node) {
      const { value } = node.alias ?? node.name
      const counts = node.selectionSet || node.arguments?.length ? costly : plain
      counts.set(value, (counts.get(value) ?? 0) + 1)
    },
    [Kind.FRAGMENT_DEFINITION]() {
      fragments += 1
    },
  })
  return sumPairs(costly.values()) + sumPairs(plain.values()) / 100 + sumPairs([fragments])
}

const sumPairs = (counts: Iterable<number>) =>
  [...counts].reduce((pairs, count) => pairs + (count * (count - 1)) / 2, 0)
