import type { Chain } from '../../chain/nodes/chain.ts'

/**
 * Maximum of consecutive rounds left to another instance. That instance may not reach the provider, although it polls
 * the chain.
 */
const LEFT_AT_MOST = 9

/**
 * Decides which instance asks the association set provider: of those that share their polls of a chain, the one that
 * polls. The results are in the database, so no instance notifies the others.
 * @returns A function that is true if another instance runs the round; call it once a round.
 */
export function leaveRounds(chain: Pick<Chain, 'isLooking'>): () => boolean {
  let left = 0
  return () => {
    left = chain.isLooking() ? 0 : (left + 1) % (LEFT_AT_MOST + 1)
    return left > 0
  }
}
