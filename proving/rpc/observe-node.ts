import { channel } from 'node:diagnostics_channel'

/** One question to a node that ended. */
export interface NodeAnswer {
  /** Host of the node: its path may contain a key. */
  node: string
  /** Method of the call; of a batch, its methods. */
  method: string
  /** Milliseconds of `performance.now()` at which the call was made. */
  startedAt: number
  /** True without an answer, and where the node refused. */
  isFailed: boolean
}

/** Channel with every question of this thread to a node; messages are {@link NodeAnswer}, in the context of their caller. */
export const nodeAnswers = channel('proving.node-answers')

/** Asks a node, and publishes the outcome on {@link nodeAnswers}. @throws what `ask` throws. */
export const observeNode = <Answer>(
  url: string,
  calls: readonly { method: string }[],
  ask: () => Promise<Answer>,
): Promise<Answer> => (nodeAnswers.hasSubscribers ? observe(url, calls, ask) : ask())

async function observe<Answer>(
  url: string,
  calls: readonly { method: string }[],
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const startedAt = performance.now()
  const publish = (isFailed: boolean) => {
    const answer: NodeAnswer = {
      node: new URL(url).host,
      method: [...new Set(calls.map(({ method }) => method))].join(', '),
      startedAt,
      isFailed,
    }
    nodeAnswers.publish(answer)
  }
  try {
    const answer = await ask()
    publish(false)
    return answer
  } catch (error) {
    publish(true)
    throw error
  }
}
