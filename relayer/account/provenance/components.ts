/** Things that belong together, as far as was said. */
export interface Components<Item> {
  join(one: Item, other: Item): void
  /** Everything that belongs together with it, itself included. */
  of(item: Item): readonly Item[]
}

/** Nothing belongs together at first. */
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
