/**
 * Maps items all at once or, where they are to be kept apart, each after the one before has ended: then no two of them are
 * in one batch of questions. The first failure is thrown; apart, what follows it is not begun.
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
