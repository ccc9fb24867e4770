/**
 * Maps items concurrently, or one after the other with `isApart`. Apart, no two of them are in one batch of requests. Throws
 * the first failure; apart, later items are not started.
 */
export async function mapApart<Item, Answer>(
  items: readonly Item[],
  isApart: boolean,
  run: (item: Item, place: number) => Promise<Answer>,
): Promise<Answer[]> {
  if (!isApart) return Promise.all(items.map(run))
  const answers: Answer[] = []
  for (const [place, item] of items.entries()) answers.push(await run(item, place))
  return answers
}
