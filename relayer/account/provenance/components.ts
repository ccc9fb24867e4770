/** A partition of items into components (union-find). */
export interface Components<Item> {
  join(one: Item, other: Item): void
  /** Returns all items of its component, itself included. */
  of(item: Item): readonly Item[]
}

/** Creates the partition; at first every item is alone. */
export function createComponents<Item>(): Components<Item> {
  const groups = new Map<Item, Item[]>()
  const groupOf = (item: Item): Item[] => {
    const group = groups.get(item) ?? [item]
    groups.set(item, group)
    return group
  }
  return {
    join(one, other) {
      const [smaller, larger] = [groupOf(one), groupOf(other)].toSorted((a, b) => a.length - b.length)
      if (!smaller || !larger || smaller === larger) return
      larger.push(...smaller)
      for (const item of smaller) groups.set(item, larger)
    },
    of: (item) => groups.get(item) ?? [item],
  }
}
