import { zeroAddress, type Hash } from 'viem'
import { findFreeBuyer, provePayment, takeDeposit, type CashKeys } from './buy-deposit.ts'
import type { CashChain } from './cash-chain.ts'

/** How buyers work by themselves; may change at any time. */
export interface BuyerOrders {
  /** Seconds before a buyer takes a deposit, and before the payment is proved. */
  delaySeconds: number
  /** Whether they take deposits. */
  mode: 'buy' | 'hold'
}

/** A deposit is asked about again so soon after something went wrong. */
const RETRY_AFTER_MS = 5_000

/** Buyers that take every deposit, and prove that they paid. All their knowledge comes from the chains. */
export function createBuyers(chains: readonly CashChain[], keys: CashKeys, orders: BuyerOrders) {
  const seenAt = new Map<string, number>()
  const retryAt = new Map<string, number>()
  const isDue = (name: string, since: number) =>
    Date.now() >= Math.max(since + orders.delaySeconds * 1_000, retryAt.get(name) ?? 0)

  /** When a buyer was first seen to hold it, or a deposit to be open. */
  function firstSeen(name: string): number {
    const known = seenAt.get(name) ?? Date.now()
    seenAt.set(name, known)
    return known
  }

  async function attempt(name: string, work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work()
      return true
    } catch {
      retryAt.set(name, Date.now() + RETRY_AFTER_MS)
      return false
    }
  }

  async function proveHeld(chain: CashChain): Promise<number> {
    let done = 0
    for (const buyer of chain.buyers) {
      const intentHash: Hash | null = await chain.readHeld(buyer)
      if (intentHash === null) continue
      const name = `${chain.chainId} ${intentHash}`
      if (!isDue(name, firstSeen(name))) continue
      if (await attempt(name, () => provePayment(chain, keys, { intentHash }))) done += 1
    }
    return done
  }

  async function takeOpen(chain: CashChain): Promise<void> {
    const count = await chain.countDeposits()
    for (let depositId = 0n; depositId < count; depositId += 1n) {
      const name = `${chain.chainId} deposit ${depositId}`
      if (retryAt.get(name) === Number.POSITIVE_INFINITY) continue
      const deposit = await chain.readDeposit(depositId)
      // A closed deposit never comes back, except by a reorganisation, which is not awaited here.
      if (deposit.depositor === zeroAddress) retryAt.set(name, Number.POSITIVE_INFINITY)
      const isOpen = deposit.acceptingIntents && deposit.remainingDeposits >= deposit.intentAmountRange.min
      if (!isOpen || !isDue(name, firstSeen(name))) continue
      if ((await findFreeBuyer(chain)) === null) return
      await attempt(name, () => takeDeposit(chain, keys, { depositId }))
    }
  }

  return {
    /**
     * Proves and takes due parts.
     * @returns How many payments were proved.
     */
    async advance(): Promise<number> {
      if (orders.mode === 'hold') return 0
      let proved = 0
      for (const chain of chains) {
        proved += await proveHeld(chain)
        await takeOpen(chain)
      }
      return proved
    },
  }
}
