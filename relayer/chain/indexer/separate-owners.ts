/** Groups of which none has two addresses of one owner: who is asked about a group must not learn that they belong together. */
export function separateOwners<Key extends { address: string; owner: string }>(
  keys: readonly Key[],
): Key[][] {
  const groups: Key[][] = []
  for (const ofOwner of Map.groupBy(keys, ({ owner }) => owner).values())
    for (const [place, ofAddress] of [...Map.groupBy(ofOwner, ({ address }) => address).values()].entries())
      (groups[place] ??= []).push(...ofAddress)
  return groups
}
