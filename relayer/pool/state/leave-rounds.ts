import type { Chain } from '../../chain/nodes/chain.ts'

/** So many rounds in a row are left to another instance: it may not reach the provider, which its looks at the chain do not tell. */
const LEFT_AT_MOST = 9

/**
 * Of the instances that share their looks at a chain, the one that looks asks the association set provider as well. What it
 * reads is in the database, so there is nothing to tell the others.
 * @returns Says, once for each round, whether another instance runs it.
 */
export function leaveRounds(chain: Pick<Chain, 'isLooking'>): () => boolean {
  let left = 0
  return () => {
    left = chain.isLooking() ? 0 : (left + 1) % (LEFT_AT_MOST + 1)
    return left > 0
  }
}
