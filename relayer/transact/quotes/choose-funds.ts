import { isAddressEqual, type Address } from 'viem'
import { listFundingCandidates } from '../../../db/transact/funding-candidates.ts'
import type { TransactionSize } from '../../chain/nodes/sending-price.ts'
import type { GasMeasures, SpendingGas } from '../fees/measure-gas.ts'
import { networkFeeOf } from '../fees/network-fee.ts'
import type { SharedFees } from '../fees/shared-fees.ts'
import { largestAmountWithin, serviceFeeOf } from '../fees/service-fee.ts'
import { readDelegationState, type DelegationState } from '../intents/delegation.ts'
import { findMostFundable } from '../selection/most-fundable.ts'
import { findMostOfGroup, selectOfGroup } from '../selection/join-groups.ts'
import type { SelectionRules } from '../selection/candidate.ts'
import { drawRest, lowerSum } from '../selection/lower-sum.ts'
import { selectFunds, type Selection } from '../selection/select-funds.ts'
import type { FreeCaller, SpendingPlan } from '../kinds/quote-plan.ts'
import { explainMix, explainShortage, type LockedCandidate } from './explain-shortage.ts'
import type { GroupHolders } from './group-holders.ts'
import type { Prepared } from './prepare-quote.ts'
import type { QuoteParts } from './quote-parts.ts'
import { releaseSpentOn } from './release-quotes.ts'
import { insufficientBalance, insufficientFundsForFees, quoteLockConflict } from '../errors.ts'
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

/** How an address stands before it sends, and whether its code is already the account's. */
export type DelegationStanding = DelegationState & { delegates: boolean }

/**
 * The addresses that a quote spends from, and what each of them needs. Amounts in the token's smallest unit.
 */
export interface ChosenFunds extends Selection {
  /** What is spent without fees. */
  amount: bigint
  serviceFee: bigint
  /** Their money comes from different origins, and the user accepts that they are joined. */
  isMixed: boolean
  /** How the chain says that a chosen address stands; asked once for each. */
  standOf(address: Address): Promise<DelegationStanding>
  /** What the same calls took before. */
  spending: SpendingGas
}

/** What is remembered from quote to quote. */
export interface QuoteMemories {
  gas: GasMeasures
  sharedFees: SharedFees
}

/** Returns the inputs that take more than computed, and how much; empty when the choice is right. */
export type Verify = (chosen: ChosenFunds) => Promise<ReadonlyMap<Address, TransactionSize>>

/** Each round corrects at least one address, or ends; more than this many surprises are no wallet's. */
const MAX_ROUNDS = 8

/**
 * Chooses addresses and computes their cost by the books, and repeats that when the chain shows otherwise: whether an address
 * delegates already, and what `verify` finds. Nodes are asked about no address that is not chosen, and without `verify` about
 * none but the one by which gas is measured.
 *
 * @throws ServiceError as explainShortage says; `bad-request` PROVENANCE_MIX, SIMULATION_FAILED.
 */
export async function chooseFunds(
  { config, gas, turns, sharedFees }: Pick<QuoteParts, 'config' | 'turns'> & QuoteMemories,
  funding: Funding,
  verify?: Verify,
): Promise<ChosenFunds> {
  const { plan, token, rate, terms } = funding
  const { bounds } = plan
  const standing = new Map<Address, Promise<DelegationStanding>>()
  const standOf = (address: Address): Promise<DelegationStanding> => {
    const state = standing.get(address) ?? turns.about(address, () => readStanding(funding, address))
    standing.set(address, state)
    return state
  }
  if (plan.free) {
    const chosen = chooseFree(plan.free, standOf)
    // More gas than reckoned changes nothing: nobody pays for it.
    await verify?.(chosen)
    return chosen
  }
  const rules = {
    maxInputs: plan.mayJoin ? config.maxFundingAddresses : 1,
    mixGroups: false,
    // The share of the service fee is rounded, and may be a unit more than its part.
    ...(bounds && { leastEach: bounds.least + serviceFeeOf(bounds.least, terms) + 3n }),
  }
  const spending = await measureFirst({ gas, turns }, funding)
  const known = new Map<Address, boolean>()
  const surprises = new Map<Address, TransactionSize>()
  const feeOf = (name: 'first' | 'later') => {
    const fee = networkFeeOf(spending[name], rate)
    // Who travels alone is linked by nothing else, so that an exact fee would tell more than it costs.
    return plan.alone
      ? sharedFees.cover(`${token.chainId} ${token.address} ${plan.gasKey} ${name}`, fee)
      : fee
  }
  const [first, later] = [feeOf('first'), feeOf('later')]
  const costOf = ({ address, delegates }: Pick<Holder, 'address' | 'delegates'>) => {
    const surprise = surprises.get(address)
    if (surprise !== undefined) return networkFeeOf(surprise, rate)
    return (known.get(address) ?? delegates) ? later : first
  }
  let groups: ReadonlyMap<Address, string> | null = null
  const accepted = plan.funders.acknowledgedProvenanceMix
  const rest = funding.amount === 'max' ? 0n : drawRest(funding.amount)
  const believed = new Map(funding.holders.map(({ address, delegates }) => [address, delegates]))
  /** Learns how chosen addresses stand. True when one stands otherwise than it was believed to. */
  async function learn(inputs: readonly { address: Address }[]): Promise<boolean> {
    let isOtherwise = false
    for (const { address } of inputs) {
      const { delegates } = await standOf(address)
      if (delegates !== (known.get(address) ?? believed.get(address))) isOtherwise = true
      known.set(address, delegates)
    }
    return isOtherwise
  }

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
    const { inputs } = selection ?? most
    // Where money comes from matters, and is asked, only where several addresses would pay.
    if (!groups && funding.groupsOf && inputs.length > 1) {
      groups = await funding.groupsOf()
      continue
    }
    if (!selection) {
      if (bounds && amount > 0n && most.net >= amount + serviceFee) throw bounds.tooSmall()
      const mixed =
        amount > 0n ? selectFunds(candidates, amount + serviceFee, { ...rules, mixGroups: true }) : null
      if (mixed) throw explainMix(mixed, largestAmountWithin(findMostFundable(candidates, rules).net, terms))
      throw explainShortage({ token, amount: amount || 1n, candidates, terms, rules, plan })
    }
    const chosen: ChosenFunds = {
      ...(plan.alone
        ? apart(selection, { amount, rest, terms, rules })
        : { ...selection, amount, serviceFee }),
      isMixed: new Set(inputs.map(({ group }) => group)).size > 1,
      standOf,
      spending,
    }
    if (!verify) return chosen
    // Of several, each is asked about where its intent is built and run: what concerns one address goes together.
    if (inputs.length === 1 && (await learn(inputs))) continue
    const found = await verify(chosen)
    const isOtherwise = await learn(inputs)
    if (found.size === 0 && !isOtherwise) return chosen
    for (const [address, more] of found) surprises.set(address, more)
  }
  throw serverBusy('The cost of this payment does not settle. Try again later.')
}

/** Of several addresses that pay apart: less than what was asked, where each still pays enough. */
function apart(
  selection: Selection,
  {
    amount,
    rest,
    terms,
    rules,
  }: Pick<Funding, 'terms'> & { amount: bigint; rest: bigint; rules: SelectionRules },
): Selection & { amount: bigint; serviceFee: bigint } {
  const serviceFee = serviceFeeOf(amount, terms)
  const less = amount - rest
  const lessFee = serviceFeeOf(less, terms)
  const isLowered = rest > 0n && selection.inputs.length > 1
  const lowered = isLowered ? lowerSum(selection, rest + serviceFee - lessFee, rules.leastEach ?? 0n) : null
  return lowered ? { ...lowered, amount: less, serviceFee: lessFee } : { ...selection, amount, serviceFee }
}

const NOTHING: TransactionSize = { gas: 0n, bytes: 0 }

/** The one address that calls, and pays nothing. */
function chooseFree(
  { address, derivationNonce, maxGas }: FreeCaller,
  standOf: ChosenFunds['standOf'],
): ChosenFunds {
  return {
    inputs: [{ address, derivationNonce, free: 1n, cost: 0n, taken: 1n, group: null }],
    dust: 0n,
    amount: 1n,
    serviceFee: 0n,
    isMixed: false,
    standOf,
    spending: { first: NOTHING, later: NOTHING, combinedGas: maxGas },
  }
}

/** Measured from an address that is likely to be chosen: one unit goes to a random address, one is the fee. */
async function measureFirst(
  { gas, turns }: Pick<QuoteParts, 'turns'> & { gas: GasMeasures },
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
  const enough = holders.filter(
    (holder) => holder.free > wanted + wanted / 20n && holder.free > (bounds?.least ?? 1n),
  )
  const { free: has, address: from } =
    amount === 'max' ? richest : enough.reduce((least, one) => (one.free < least.free ? one : least), richest)
  const within = trial && trial.amount >= has ? { ...trial, amount: has - 1n } : trial
  const measured = { ...plan, ...(within && { trial: within }) }
  return gas.measure(sending, measured, from, (ask) => turns.about(from, ask))
}

async function readStanding(
  { sending: { chain, contracts }, plan }: Pick<Funding, 'sending' | 'plan'>,
  address: Address,
): Promise<DelegationStanding> {
  plan.foresee?.(address)
  const state = await readDelegationState(chain.client, address)
  return {
    ...state,
    delegates: state.delegatesTo !== null && isAddressEqual(state.delegatesTo, contracts.accountProxy),
  }
}
