import type { Chain } from './chain.ts'

/** The chain as each of its nodes shows it, for simulations that one node must not decide. */
const eachNode = <AnyChain extends Chain>(chain: AnyChain): AnyChain[] =>
  chain.config.rpcUrls.map((url) => ({ ...chain, config: { ...chain.config, rpcUrls: [url] } }))

/**
 * Judges once; each node alone must confirm a refusal, because one may lag.
 * @param judge Returns why something would fail, by the nodes of the given chain; null while it may succeed.
 * @returns The reason, if every node that answers refuses, and at least two do where the chain has several; else null.
 * @throws If no node answers the first question.
 */
export async function confirmRefusal<AnyChain extends Chain>(
  chain: AnyChain,
  judge: (chain: AnyChain) => Promise<string | null>,
): Promise<string | null> {
  const reason = await judge(chain)
  const nodes = reason === null ? [] : eachNode(chain)
  if (nodes.length < 2) return reason
  const answers = (await Promise.allSettled(nodes.map(judge))).flatMap((one) =>
    one.status === 'fulfilled' ? [one.value] : [],
  )
  if (answers.includes(null)) return null
  if (answers.length < 2) throw new Error('too few nodes answer to decide whether it would fail')
  return answers[0] ?? null
}
