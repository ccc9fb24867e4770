import { isAddressEqual, type Address } from 'viem'
import { listFundingCandidates } from '../../../db/transact/funding-candidates.ts'
import type { TransactionSize } from '../../chain/nodes/sending-price.ts'
import type { GasMeasures, SpendingGas } from '../fees/measure-gas.ts'
import { networkFeeOf } from '../fees/network-fee.ts'
import { largestAmountWithin, serviceFeeOf } from '../fees/service-fee.ts'
import { readDelegationState, type DelegationState } from '../intents/delegation.ts'
import { findMostFundable } from '../selection/most-fundable.ts'
import { findMostOfGroup, selectOfGroup } from '../selection/join-groups.ts'
import { selectFunds, type Selection } from '../selection/select-funds.ts'
import type { FreeCaller, SpendingPlan } from '../kinds/quote-plan.ts'
import { explainMix, explainShortage, type LockedCandidate } from './explain-shortage.ts'
import type { GroupHolders } from './group-holders.ts'
import type { Prepared } from './prepare-quote.ts'
import type { QuoteParts } from './quote-parts.ts'
import { releaseSpentOn } from './release-quotes.ts'
import { insufficientBalance, insufficientFundsForFees, quoteLockConflict } from '../errors.ts'
import { mapApart } from '../../concurrency/map-apart.ts'
import { serverBusy } from '../../errors.ts'

/** An address with funds, before it is known what spending from it costs. */
export interface Holder {
  address: Address
  derivationNonce: number
  free: bigint
  locked: bigint
  /** An app knows it. */
  isShown?: boolean
  /** Whether it is believed to delegate already; what the chain says replaces it once the address is chosen. */
  delegates: boolean
}

/**
 * The addresses of an account that may fund a plan, with their holdings of its token, or what its calls bring, or who makes
 * calls that cost nothing. What a holding counts as spent already is released first: the timer that does so may be a second
 * late.
 */
export async function listHolders(
  { database, logger }: Pick<QuoteParts, 'database' | 'logger'>,
  accountId: string,
  chainId: number,
  { token, brings, free, funders: { spendableAddresses, singleAddress, except } }: SpendingPlan,
): Promise<Holder[]> {
  // Who made a deposit delegates by now, or the chain says otherwise.
  if (brings) return [{ ...brings, free: brings.amount, locked: 0n, delegates: true }]
  if (free) return [{ ...free, free: 1n, locked: 0n, delegates: false }]
  const list = () => listFundingCandidates(database, accountId, { chainId, token })
  let rows = await list()
  if (rows.some(({ hasSpent }) => hasSpent)) {
    await releaseSpentOn(database, chainId, logger)
    rows = await list()
  }
  const wanted = spendableAddresses && new Set<string>(spendableAddresses)
  return rows
    .filter(({ address }) => wanted?.has(address) ?? true)
    .filter(({ address }) => singleAddress === undefined || address === singleAddress)
    .filter(({ address }) => address !== except)
    .map(({ address, derivationNonce, amount, locked, hasSent, isShown }) => ({
      address,
      derivationNonce,
      isShown,
      free: amount > locked ? amount - locked : 0n,
      locked: amount > locked ? locked : amount,
      delegates: hasSent,
    }))
}

/** What is to be funded: an amount, or all that there is. */
export interface Funding extends Prepared {
  plan: SpendingPlan
  amount: bigint | 'max'
  holders: readonly Holder[]
  /** Which of them may pay together; absent where any may, or each pays for itself. */
  groupsOf: GroupHolders | undefined
}

/**
 * The addresses that a quote spends from, and what each of them needs. Amounts in the token's smallest unit.
 */
export interface ChosenFunds extends Selection {
  /** What is spent without fees. */
  amount: bigint
  serviceFee: bigint
  /** Their money comes from different origins, and the user accepts that they are joined. */
  isMixed: boolean
  /** How the chain says that each chosen address stands. */
  standing: ReadonlyMap<Address, DelegationState & { delegates: boolean }>
  /** What the same calls took before. */
  spending: SpendingGas
}

/** Returns the inputs that take more than computed, and how much; empty when the choice is right. */
export type Verify = (chosen: ChosenFunds) => Promise<ReadonlyMap<Address, TransactionSize>>

/** Each round corrects at least one address, or ends; more than this many surprises are no wallet's. */
const MAX_ROUNDS = 8

/**
 * Chooses addresses and computes their cost, and repeats that when the chain shows otherwise: whether an address
 * delegates already, and what `verify` finds.
 *
 * @throws ServiceError as explainShortage says; `bad-request` PROVENANCE_MIX, SIMULATION_FAILED.
 */
export async function chooseFunds(
  { config, gas }: { config: QuoteParts['config']; gas: GasMeasures },
  funding: Funding,
  verify: Verify = async () => new Map(),
): Promise<ChosenFunds> {
  const { plan, token, rate, terms } = funding
  const { bounds } = plan
  if (plan.free) {
    const chosen = await chooseFree(funding, plan.free)
    // More gas than reckoned changes nothing: nobody pays for it.
    await verify(chosen)
    return chosen
  }
  const rules = {
    maxInputs: plan.mayJoin ? config.maxFundingAddresses : 1,
    mixGroups: false,
    // The share of the service fee is rounded, and may be a unit more than its part.
    ...(bounds && { leastEach: bounds.least + serviceFeeOf(bounds.least, terms) + 3n }),
  }
  const spending = await measureFirst(gas, funding)
  const standing = new Map<Address, DelegationState & { delegates: boolean }>()
  const surprises = new Map<Address, TransactionSize>()
  const [first, later] = [networkFeeOf(spending.first, rate), networkFeeOf(spending.later, rate)]
  const costOf = ({ address, delegates }: Pick<Holder, 'address' | 'delegates'>) => {
    const surprise = surprises.get(address)
    if (surprise !== undefined) return networkFeeOf(surprise, rate)
    return (standing.get(address)?.delegates ?? delegates) ? later : first
  }
  let groups: ReadonlyMap<Address, string> | null = null
  const accepted = plan.funders.acknowledgedProvenanceMix
  const believed = new Map(funding.holders.map(({ address, delegates }) => [address, delegates]))

  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const candidates = funding.holders.map((holder): LockedCandidate => ({
      ...holder,
      cost: costOf(holder),
      group: groups?.get(holder.address) ?? null,
    }))
    const most = findMostOfGroup(candidates, rules, accepted)
    const amount = funding.amount === 'max' ? largestAmountWithin(most.net, terms) : funding.amount
    const serviceFee = serviceFeeOf(amount, terms)
    const isWanted = amount > 0n || plan.mayMoveNothing
    const selection = isWanted ? selectOfGroup(candidates, amount + serviceFee, rules, accepted) : null
    // Where it does not suffice, the addresses that would have the most to give may cost less than believed.
    const { inputs } = selection ?? most
    // Where money comes from matters, and is asked, only where several addresses would pay.
    if (!groups && funding.groupsOf && inputs.length > 1) {
      groups = await funding.groupsOf()
      continue
    }
    if (await correctStanding(funding, inputs, standing, believed)) continue
    if (!selection) {
      if (bounds && amount > 0n && most.net >= amount + serviceFee) throw bounds.tooSmall()
      const mixed =
        amount > 0n ? selectFunds(candidates, amount + serviceFee, { ...rules, mixGroups: true }) : null
      if (mixed) throw explainMix(mixed, largestAmountWithin(findMostFundable(candidates, rules).net, terms))
      throw explainShortage({ token, amount: amount || 1n, candidates, terms, rules, plan })
    }
    const chosen: ChosenFunds = {
      ...selection,
      amount,
      serviceFee,
      isMixed: new Set(inputs.map(({ group }) => group)).size > 1,
      standing,
      spending,
    }
    const found = await verify(chosen)
    if (found.size === 0) return chosen
    for (const [address, more] of found) surprises.set(address, more)
  }
  throw serverBusy('The cost of this payment does not settle. Try again later.')
}

const NOTHING: TransactionSize = { gas: 0n, bytes: 0 }

/** The one address that calls, and pays nothing. */
async function chooseFree(
  { sending: { chain, contracts } }: Pick<Funding, 'sending'>,
  { address, derivationNonce, maxGas }: FreeCaller,
): Promise<ChosenFunds> {
  const state = await readDelegationState(chain.client, address)
  const delegates = state.delegatesTo !== null && isAddressEqual(state.delegatesTo, contracts.accountProxy)
  return {
    inputs: [{ address, derivationNonce, free: 1n, cost: 0n, taken: 1n, group: null }],
    dust: 0n,
    amount: 1n,
    serviceFee: 0n,
    isMixed: false,
    standing: new Map([[address, { ...state, delegates }]]),
    spending: { first: NOTHING, later: NOTHING, combinedGas: maxGas },
  }
}

/** Measured from the address with the largest holding: one unit goes to a random address, one is the fee. */
async function measureFirst(
  gas: GasMeasures,
  { sending, plan, token, holders, amount }: Funding,
): Promise<SpendingGas> {
  const total = holders.reduce((sum, { free, locked }) => sum + free + locked, 0n)
  const free = holders.reduce((sum, holder) => sum + holder.free, 0n)
  const wanted = amount === 'max' || amount === 0n ? 1n : amount
  const ofToken = { tokenSymbol: token.symbol, tokenAddress: token.address, tokenDecimals: token.decimals }
  if (total < wanted)
    throw insufficientBalance(`There is not as much ${token.symbol}`, {
      details: { available: free, ...ofToken },
    })
  if (free < wanted) throw quoteLockConflict()
  const richest = holders.reduce((most, holder) => (holder.free > most.free ? holder : most))
  if (richest.free < 2n)
    throw insufficientFundsForFees(`What is left of the ${token.symbol} is less than any fee`, {
      details: {
        ...ofToken,
        maxSendable: 0n,
        shortfall: wanted,
      },
    })
  const { trial, bounds } = plan
  if (bounds && richest.free <= bounds.least)
    throw insufficientFundsForFees(`No address has as much ${token.symbol} as one takes at least`, {
      details: { ...ofToken, maxSendable: 0n, shortfall: wanted },
    })
  const within = trial && trial.amount >= richest.free ? { ...trial, amount: richest.free - 1n } : trial
  return gas.measure(sending, { ...plan, ...(within && { trial: within }) }, richest.address)
}

/** Reads how the chosen addresses stand, those that have not been read. True when one stands otherwise than believed. */
async function correctStanding(
  { sending: { chain, contracts }, plan }: Pick<Funding, 'sending' | 'plan'>,
  inputs: readonly { address: Address }[],
  standing: Map<Address, DelegationState & { delegates: boolean }>,
  believed: ReadonlyMap<Address, boolean>,
): Promise<boolean> {
  const unread = inputs.filter(({ address }) => !standing.has(address))
  const states = await mapApart(unread, plan.alone ?? false, ({ address }) => {
    plan.foresee?.(address)
    return readDelegationState(chain.client, address)
  })
  let isOtherwise = false
  for (const [index, { address }] of unread.entries()) {
    const state = states[index]
    if (!state) continue
    const delegates = state.delegatesTo !== null && isAddressEqual(state.delegatesTo, contracts.accountProxy)
    standing.set(address, { ...state, delegates })
    if (delegates !== believed.get(address)) isOtherwise = true
  }
  return isOtherwise
}
