/** The same items in random order. */
export function shuffle<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, by: Math.random() }))
    .toSorted((one, other) => one.by - other.by)
    .map(({ item }) => item)
}
