/** Milliseconds after which a node has no vote, because others wait for the decision. */
const DECIDE_WITHIN_MS = 2_000

/** Returns the answers of several nodes that come in time, in no order; failures are omitted. */
export async function gatherAnswers<Answer>(asked: readonly Promise<Answer>[]): Promise<Answer[]> {
  const answers: Answer[] = []
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, DECIDE_WITHIN_MS)
  const all = asked.map((one) =>
    one.then(
      (answer) => void answers.push(answer),
      () => undefined,
    ),
  )
  await Promise.race([Promise.all(all), late])
  clearTimeout(timer)
  return [...answers]
}
