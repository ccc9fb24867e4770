import type { GasLimits, GasLoss, GasShare } from '../../../db/chain/unpaid-gas/gas-budget.ts'

/** Gas by share. */
export type GasByShare = Readonly<Record<GasShare, bigint>>

/** No gas in any share. */
export const NO_GAS: GasByShare = {
  relay: 0n,
  new: 0n,
  proven: 0n,
  plain_relay: 0n,
  plain_new: 0n,
  plain_proven: 0n,
}

/** Known code may lose this many times the setting, which is for strangers' code. */
const PLAIN_TIMES = 3n
/** Used instead of a setting of 0: such a chain runs no strangers' code, but still pays plain addresses. */
const USUAL_BUDGET = 10_000_000n
/** The most that one account has of a budget, and a stranger's contract once it failed. */
const PART_OF_ONE = 8n

/** A budget of gas an hour, and its shares. */
interface Budget {
  whole: bigint
  relay: GasShare
  new: GasShare
  proven: GasShare
}

const foreign = (budget: bigint): Budget => ({ whole: budget, relay: 'relay', new: 'new', proven: 'proven' })
const plain = (budget: bigint): Budget => ({
  whole: PLAIN_TIMES * (budget > 0n ? budget : USUAL_BUDGET),
  relay: 'plain_relay',
  new: 'plain_new',
  proven: 'plain_proven',
})

/**
 * The limits of a chain's gas. In each of the two budgets relays have half at most, new accounts too, and all sends three
 * quarters. So relays always have a quarter, and proven accounts another.
 */
export function limitsOf(budget: bigint): GasLimits {
  const shares = [foreign(budget), plain(budget)].flatMap(({ whole, ...share }) => [
    { of: [share.relay], most: whole / 2n },
    { of: [share.new], most: whole / 2n },
    { of: [share.new, share.proven], most: (3n * whole) / 4n },
    { of: [share.relay, share.new, share.proven], most: whole },
  ])
  return {
    shares,
    account: { foreign: foreign(budget).whole / PART_OF_ONE, plain: plain(budget).whole / PART_OF_ONE },
    network: { foreign: foreign(budget).whole / 2n, plain: plain(budget).whole / 2n },
    contract: foreign(budget).whole / PART_OF_ONE,
  }
}

/**
 * The most gas that a chain can lose in any hour, under any attack. All taken gas fits into both budgets beside the losses
 * of the last hour and all pending gas. OPERATING.md quotes it.
 */
export const mostLost = (budget: bigint): bigint => foreign(budget).whole + plain(budget).whole

/** True if a share is for known code. */
export const isPlain = (share: GasShare): boolean => share.startsWith('plain')

/** True if a share is for accounts that have not paid yet. */
const isNew = (share: GasShare): boolean => share === 'new' || share === 'plain_new'

/** Returns the most gas of one transaction of a share where nothing else is used: more never fits. */
export const mostGasOf = (share: GasShare, budget: bigint): bigint =>
  limitsOf(budget)
    .shares.flatMap(({ of, most }) => (of.includes(share) ? [most] : []))
    .reduce((least, most) => (most < least ? most : least))

const sumOf = (shares: readonly GasShare[], used: GasByShare) =>
  shares.reduce((sum, share) => sum + used[share], 0n)

/** Gas that strangers' code used, by which the setting is metered. */
export const gasOfStrangers = (used: GasByShare) => used.relay + used.new + used.proven
/** Gas that known code used. */
export const gasOfKnown = (used: GasByShare) => used.plain_relay + used.plain_new + used.plain_proven

/** Returns the percentage of the most used limit, below 100. */
export function partUsed(lost: GasByShare, budget: bigint): number {
  const parts = limitsOf(budget).shares.map(({ of, most }) =>
    most === 0n ? 0n : (100n * sumOf(of, lost)) / most,
  )
  return Math.min(99, Number(parts.reduce((most, part) => (part > most ? part : most), 0n)))
}

/** A transaction to be sent, as the budget sees it. */
export interface WantedGas {
  share: GasShare
  gas: bigint
  /** Contracts of strangers that it runs. */
  contracts: readonly string[]
}

/**
 * True if losses leave room, including those of its account, its network and its contracts. `fitting_gas` of the database
 * also counts pending gas.
 */
export function hasRoom(
  { share, gas, contracts }: WantedGas,
  losses: readonly Pick<GasLoss, 'share' | 'gas' | 'isOwn' | 'isOfNetwork' | 'contracts'>[],
  budget: bigint,
): boolean {
  const { shares, account, network, contract } = limitsOf(budget)
  const fits = (those: typeof losses, most: bigint) =>
    those.reduce((sum, loss) => sum + loss.gas, gas) <= most
  const own = losses.filter((loss) => loss.isOwn && isPlain(loss.share) === isPlain(share))
  const ofNew = isNew(share) ? losses.filter((loss) => loss.share === share) : []
  const neighbours = ofNew.filter(({ isOfNetwork }) => isOfNetwork)
  const pot = isPlain(share) ? network.plain : network.foreign
  const left = ofNew.reduce((rest, loss) => (loss.isOfNetwork ? rest : rest - loss.gas), pot)
  return (
    shares.every(
      ({ of, most }) =>
        !of.includes(share) ||
        fits(
          losses.filter((loss) => of.includes(loss.share)),
          most,
        ),
    ) &&
    (own.length === 0 || fits(own, (isPlain(share) ? account.plain : account.foreign) / 2n)) &&
    (neighbours.length === 0 || fits(neighbours, left / 4n)) &&
    contracts.every((one) => {
      const there = losses.filter((loss) => loss.contracts.includes(one))
      return there.length === 0 || fits(there, contract)
    })
  )
}

/** Seconds until enough losses have expired to make room, the oldest first; null where it has room, or never has. */
export function secondsUntilRoom(
  wanted: WantedGas,
  losses: readonly GasLoss[],
  budget: bigint,
): number | null {
  const [oldest, ...later] = losses
  if (hasRoom(wanted, losses, budget) || !oldest) return null
  return hasRoom(wanted, later, budget)
    ? Math.max(1, oldest.endsInSeconds)
    : secondsUntilRoom(wanted, later, budget)
}
