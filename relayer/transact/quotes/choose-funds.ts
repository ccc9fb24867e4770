import { membersOfToken } from '../../market/errors.ts'
import { isAddressEqual, type Address } from 'viem'
import { listFundingCandidates } from '../../../db/transact/funding-candidates.ts'
import type { TransactionSize } from '../../chain/nodes/sending-price.ts'
import type { SpendingGas } from '../fees/measure-gas.ts'
import { networkFeeOf } from '../fees/network-fee.ts'
import { largestAmountWithin, serviceFeeOf } from '../fees/service-fee.ts'
import { readDelegationState, type DelegationState } from '../intents/delegation.ts'
import {
  findMostFundable,
  type MostFundable,
  type SelectionRules,
  selectFunds,
  type Selection,
  findMostOfGroup,
  selectOfGroup,
  drawRest,
  lowerSum,
} from './select-funds.ts'
import { holdingsOf, type FreeCaller, type FunderFilter, type SpendingPlan } from '../kinds/quote-plan.ts'
import { explainMix, explainShortage, type LockedCandidate } from './explain-shortage.ts'
import type { PreparedPlan, QuoteParts } from './prepare-quote.ts'
import { releaseSpentOn } from './release-quotes.ts'
import { insufficientBalance, insufficientFundsForFees, quoteLockConflict } from '../errors.ts'
import { serverBusy } from '../../errors.ts'

/** An address with funds, before the cost of spending from it is known. */
export interface Holder {
  address: Address
  derivationNonce: number
  free: bigint
  locked: bigint
  /** An app knows the address. */
  isShown?: boolean
  /** True if it is believed to delegate already; the chain's answer replaces this once the address is chosen. */
  delegates: boolean
}

/**
 * Lists the addresses of an account that may fund a plan. They are the holders of its token, or the one address that
 * its calls pay, or the caller of a free quote. Spent funds that are due for release are released first, because the
 * timer may be a second late.
 */
export async function listHolders(
  { database, logger }: QuoteParts,
  accountId: string,
  chainId: number,
  { token, funding }: SpendingPlan,
): Promise<Holder[]> {
  if (funding.from !== 'holdings') {
    const { address, derivationNonce } = funding
    // A depositor usually delegates by now; otherwise the chain says so.
    const [free, delegates] = funding.from === 'calls' ? [funding.amount, true] : [1n, false]
    return [{ address, derivationNonce, free, locked: 0n, delegates }]
  }
  const { spendableAddresses, singleAddress, except } = funding.funders
  const list = () => listFundingCandidates(database, accountId, { chainId, token })
  let rows = await list()
  if (rows.some(({ hasSpent }) => hasSpent)) {
    await releaseSpentOn(database, chainId, logger)
    rows = await list()
  }
  const wanted = spendableAddresses && new Set<string>(spendableAddresses)
  return rows
    .filter(({ address }) => wanted?.has(address) ?? true)
    .filter(({ address }) => address === (singleAddress ?? address))
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

/** Request for funds: an amount, or everything. */
export interface Funding extends PreparedPlan<SpendingPlan> {
  amount: bigint | 'max'
}

/** Delegation of an address before it sends; `delegates` is true if it is to the account's code. */
export type DelegationStanding = DelegationState & { delegates: boolean }

/** The addresses that a quote spends from, with the needs of each. Amounts in the token's smallest unit. */
export interface ChosenFunds extends Selection {
  /** Amount spent without fees. */
  amount: bigint
  serviceFee: bigint
  /** The money is of different origins, and the user accepts that its addresses are joined. */
  isMixed: boolean
  /** Reads the delegation of a chosen address from the chain, once for each. */
  standOf(address: Address): Promise<DelegationStanding>
  /** Gas of the same calls in the last measurement. */
  spending: SpendingGas
}

/** Returns the inputs whose cost is higher than computed, with their sizes; empty if the choice is right. */
export type Verify = (chosen: ChosenFunds) => Promise<ReadonlyMap<Address, TransactionSize>>

/** Each round corrects at least one address, or ends; no wallet needs more corrections than this. */
const MAX_ROUNDS = 8

/**
 * Chooses addresses and computes their cost by the books. It repeats that when the chain differs: in an address's
 * delegation, or in the findings of `verify`. Nodes are queried about chosen addresses only; without `verify` only
 * about the one that measures gas.
 *
 * @throws ServiceError as explainShortage says; `bad-request` PROVENANCE_MIX, SIMULATION_FAILED.
 */
export async function chooseFunds(
  parts: QuoteParts,
  funding: Funding,
  verify?: Verify,
): Promise<ChosenFunds> {
  const { config, turns, sharedFees } = parts
  const { plan, kind, terms, groupsOf } = funding
  const standOf = rememberStandings(funding, turns)
  if (plan.funding.from === 'service') {
    const chosen = chooseFree(plan.funding, standOf)
    // The cost of gas does not matter: no fee pays for it.
    await verify?.(chosen)
    return chosen
  }
  const choice = choiceOf(funding, config.maxFundingAddresses)
  const spending = await measureFirst(parts, funding)
  const costs = new AddressCosts(funding, spending, standOf, sharedFees)
  const rest = funding.amount === 'max' ? 0n : drawRest(funding.amount)
  let groups: ReadonlyMap<Address, string> | null = null

  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const candidates = funding.holders.map((holder): LockedCandidate => ({
      ...holder,
      cost: costs.of(holder),
      group: groups?.get(holder.address) ?? null,
    }))
    const { amount, selection, most } = selectOnce(funding, candidates, choice)
    const { inputs } = selection ?? most
    // Origins matter, and are read, only if several addresses would pay.
    if (!groups && groupsOf && inputs.length > 1) {
      groups = await groupsOf()
      continue
    }
    if (!selection) throw explainNone(funding, candidates, choice.rules, { amount, most })
    const chosen: ChosenFunds = {
      ...(kind.transport === 'own'
        ? apart(selection, { amount, rest, terms, rules: choice.rules })
        : { ...selection, amount, serviceFee: serviceFeeOf(amount, terms) }),
      isMixed: new Set(inputs.map(({ group }) => group)).size > 1,
      standOf,
      spending,
    }
    if (!verify) return chosen
    // With several inputs each delegation is read where the intent is built and run: all queries about one address go
    // together.
    if (inputs.length === 1 && (await costs.learn(inputs))) continue
    const found = await verify(chosen)
    const isOtherwise = await costs.learn(inputs)
    if (found.size === 0 && !isOtherwise) return chosen
    costs.correct(found)
  }
  throw serverBusy('The cost of this payment does not settle. Try again later.')
}

/** Reads the delegation of each address once. */
function rememberStandings(funding: Funding, turns: QuoteParts['turns']): ChosenFunds['standOf'] {
  const standing = new Map<Address, Promise<DelegationStanding>>()
  return (address) => {
    const state = standing.get(address) ?? turns.about(address, () => readStanding(funding, address))
    standing.set(address, state)
    return state
  }
}

/** The network fee of each address by the books, until the chain says otherwise. */
class AddressCosts {
  readonly #rate: Funding['rate']
  readonly #standOf: ChosenFunds['standOf']
  readonly #first: bigint
  readonly #later: bigint
  /** By address: whether it delegates, as the books say, and then as the chain does. */
  readonly #delegates: Map<Address, boolean>
  readonly #surprises = new Map<Address, TransactionSize>()

  constructor(
    { kind, token, plan, rate, holders }: Funding,
    spending: SpendingGas,
    standOf: ChosenFunds['standOf'],
    sharedFees: QuoteParts['sharedFees'],
  ) {
    const feeOf = (name: 'first' | 'later') => {
      const fee = networkFeeOf(spending[name], rate)
      // Nothing else links intents that are sent alone, so an exact fee would be their only link.
      return kind.transport === 'own'
        ? sharedFees.cover(`${token.chainId} ${token.address} ${plan.gasKey} ${name}`, fee)
        : fee
    }
    this.#rate = rate
    this.#standOf = standOf
    this.#first = feeOf('first')
    this.#later = feeOf('later')
    this.#delegates = new Map(holders.map(({ address, delegates }) => [address, delegates]))
  }

  of({ address }: Holder): bigint {
    const surprise = this.#surprises.get(address)
    if (surprise !== undefined) return networkFeeOf(surprise, this.#rate)
    return this.#delegates.get(address) ? this.#later : this.#first
  }

  /** Reads the delegations of chosen addresses. True if one differs from the belief. */
  async learn(inputs: readonly { address: Address }[]): Promise<boolean> {
    let isOtherwise = false
    for (const { address } of inputs) {
      const { delegates } = await this.#standOf(address)
      if (delegates !== this.#delegates.get(address)) isOtherwise = true
      this.#delegates.set(address, delegates)
    }
    return isOtherwise
  }

  correct(found: ReadonlyMap<Address, TransactionSize>): void {
    for (const [address, size] of found) this.#surprises.set(address, size)
  }
}

interface Choice {
  rules: SelectionRules
  /** Addresses of different origins that the user accepts to join. */
  accepted: FunderFilter['acknowledgedProvenanceMix']
}

function choiceOf({ plan, terms }: Funding, maxFundingAddresses: number): Choice {
  const { mayJoin, funders } = holdingsOf(plan)
  const { bounds } = plan
  return {
    rules: {
      maxInputs: mayJoin ? maxFundingAddresses : 1,
      mixGroups: false,
      // The share of the service fee is rounded, and may exceed its part by a unit.
      ...(bounds && { leastEach: bounds.least + serviceFeeOf(bounds.least, terms) + 3n }),
    },
    accepted: funders.acknowledgedProvenanceMix,
  }
}

/** Selects among candidates of known cost, with the most that they could pay; null without enough. */
function selectOnce(
  { plan, amount: asked, terms }: Funding,
  candidates: readonly LockedCandidate[],
  { rules, accepted }: Choice,
) {
  const most = findMostOfGroup(candidates, rules, accepted)
  const amount = asked === 'max' ? largestAmountWithin(most.net, terms) : asked
  const isWanted = amount > 0n || plan.mayMoveNothing
  const need = amount + serviceFeeOf(amount, terms)
  return { amount, most, selection: isWanted ? selectOfGroup(candidates, need, rules, accepted) : null }
}

/** Returns the error that says why no candidates are selected. */
function explainNone(
  { plan: { bounds }, plan, token, terms }: Funding,
  candidates: readonly LockedCandidate[],
  rules: SelectionRules,
  { amount, most }: { amount: bigint; most: MostFundable },
): Error {
  const need = amount + serviceFeeOf(amount, terms)
  if (bounds && amount > 0n && most.net >= need) return bounds.tooSmall()
  const mixed = amount > 0n ? selectFunds(candidates, need, { ...rules, mixGroups: true }) : null
  if (mixed) return explainMix(mixed, largestAmountWithin(findMostFundable(candidates, rules).net, terms))
  return explainShortage({ token, amount: amount || 1n, candidates, terms, rules, plan })
}

/** Lowers the sum of several addresses that pay apart, if each still pays enough. */
function apart(
  selection: Selection,
  {
    amount,
    rest,
    terms,
    rules,
  }: { amount: bigint; rest: bigint; terms: Funding['terms']; rules: SelectionRules },
): Selection & { amount: bigint; serviceFee: bigint } {
  const serviceFee = serviceFeeOf(amount, terms)
  const less = amount - rest
  const lessFee = serviceFeeOf(less, terms)
  const isLowered = rest > 0n && selection.inputs.length > 1
  const lowered = isLowered ? lowerSum(selection, rest + serviceFee - lessFee, rules.leastEach ?? 0n) : null
  return lowered ? { ...lowered, amount: less, serviceFee: lessFee } : { ...selection, amount, serviceFee }
}

const NOTHING: TransactionSize = { gas: 0n, bytes: 0 }

/** Chooses the one caller of a free quote, which pays nothing. */
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

/** Measures from an address that is likely to be chosen: one unit goes to a random address, one is the fee. */
async function measureFirst(
  { gas, turns }: QuoteParts,
  { sending, plan, token, holders, amount }: Funding,
): Promise<SpendingGas> {
  const total = holders.reduce((sum, { free, locked }) => sum + free + locked, 0n)
  const free = holders.reduce((sum, holder) => sum + holder.free, 0n)
  const wanted = amount === 'max' || amount === 0n ? 1n : amount
  const ofToken = membersOfToken(token)
  if (total < wanted)
    throw insufficientBalance(`There is not as much ${token.symbol}`, {
      details: { available: free, ...ofToken },
    })
  if (free < wanted) throw quoteLockConflict()
  const richest = holders.reduce((most, holder) => (holder.free > most.free ? holder : most))
  if (richest.free < 2n)
    throw insufficientFundsForFees(`The rest of the ${token.symbol} is less than any fee`, {
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
  { sending: { chain, contracts }, plan }: Funding,
  address: Address,
): Promise<DelegationStanding> {
  plan.foresee?.(address)
  const state = await readDelegationState(chain.client, address)
  return {
    ...state,
    delegates: state.delegatesTo !== null && isAddressEqual(state.delegatesTo, contracts.accountProxy),
  }
}
