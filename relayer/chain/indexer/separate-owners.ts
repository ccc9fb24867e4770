/**
 * Splits addresses into groups without two of one owner, so that a question about a group does not link addresses.
 */
export function separateOwners<Key extends { address: string; owner: string }>(
  keys: readonly Key[],
): Key[][] {
  const groups: Key[][] = []
  for (const ofOwner of Map.groupBy(keys, ({ owner }) => owner).values())
    for (const [place, ofAddress] of [...Map.groupBy(ofOwner, ({ address }) => address).values()].entries())
      (groups[place] ??= []).push(...ofAddress)
  return groups
}
