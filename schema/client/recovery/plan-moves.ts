// SPDX-License-Identifier: MIT
/**
 * Plans transactions that bring a wallet's money to other addresses without the service: each is sent and paid for by the
 * address itself.
 */
import { encodeFunctionData, erc20Abi, isAddressEqual, type Address, type Hex } from 'viem'
import { collectibleAbi, escrowAbi } from '../chain/abis.ts'
import type { Holding } from './find-holdings.ts'
import type { OwnAddress } from './own-address.ts'
import type { RecoveryChain } from './recovery-chain.ts'

/** One transaction. */
export interface Move {
  chainId: number
  from: OwnAddress
  /** `fees` sends coin to another own address, which needs it to pay for its moves. `recover` takes a note out of its pool, `unsell`
   * tokens out of the escrow. */
  kind: 'fees' | 'recover' | 'unsell' | 'token' | 'collectible' | 'coin'
  /** Null for `fees`. A recovered note goes to its depositor first. */
  holding: Holding | null
  to: Address
  /** In the smallest unit; of a coin what is left after the fee. */
  amount: bigint
  gas: bigint
  /** The highest fee of the network, in the chain's coin. */
  fee: bigint
}

export interface PlanOptions {
  /** One for everything, or of each own address on each chain. Observers join addresses that send to one place. */
  destination: Address | ((at: { chainId: number; owner: OwnAddress }) => Address)
  /** Own addresses may pay the fees of others. Observers then see that both belong to one person. */
  mayJoin: boolean
}

export interface Plan {
  /** In the order in which they are sent. */
  moves: Move[]
  /** Addresses that lack coin for their fees, with the least that they need. */
  short: { chainId: number; owner: OwnAddress; missing: bigint; holdings: Holding[] }[]
  /** Coin that is worth less than the fee of moving it. */
  dust: Holding[]
  /** Destinations that are contracts on a chain: they may be another's there. */
  contracts: { chainId: number; address: Address }[]
  /** Price of gas by chain, in the coin's smallest unit. */
  gasPrices: Readonly<Record<number, bigint>>
}

/** Gas where a node cannot estimate it: the note or the tokens of a note are not there yet. */
const GAS = { recover: 600_000n, unsell: 300_000n, token: 120_000n, collectible: 200_000n } as const
const COIN_GAS = 21_000n

/** @param holdings Those that the user wants to move. @throws Error where a node answers nothing. */
export async function planMoves(
  chains: readonly RecoveryChain[],
  holdings: readonly Holding[],
  options: PlanOptions,
): Promise<Plan> {
  const plan: Plan = { moves: [], short: [], dust: [], contracts: [], gasPrices: {} }
  for (const chain of chains) {
    const ofChain = holdings.filter(({ chainId }) => chainId === chain.chainId)
    if (ofChain.length > 0) await planChain(chain, ofChain, options, plan)
  }
  return plan
}

interface Purse {
  owner: OwnAddress
  destination: Address
  coin: bigint
  holdings: Holding[]
  moves: Move[]
  /** Coin that the moves lack. */
  missing: bigint
  /** Coin that they leave. */
  rest: bigint
}

async function planChain(chain: RecoveryChain, holdings: Holding[], options: PlanOptions, plan: Plan) {
  const { chainId, reader } = chain
  // A quarter more than now: all moves together take a while.
  const gasPrice = ((await reader.getGasPrice()) * 5n) / 4n
  plan.gasPrices = { ...plan.gasPrices, [chainId]: gasPrice }
  const payment = await readPaymentCosts(chain, gasPrice)
  const purses: Purse[] = []
  // Map.groupBy is not in Node 20.
  for (const address of new Set(holdings.map(({ owner }) => owner.address))) {
    const own = holdings.filter(({ owner }) => owner.address === address)
    const coin = await reader.getBalance({ address })
    purses.push(await fillPurse(chain, { own, coin, gasPrice, options }))
  }
  plan.contracts.push(...(await listContracts(chain, purses)))
  const toCover = new Map(purses.map((purse) => [purse, purse.missing]))
  const fees: Move[] = []
  const donors = purses.filter(({ holdings: own }) => own.some(({ kind }) => kind === 'coin'))
  for (const purse of purses.filter(({ missing }) => missing > 0n)) {
    const cost = await payment(purse.owner.address)
    const donor = options.mayJoin && findDonor(donors, purse, purse.missing + cost.fee)
    if (!donor) continue
    donor.rest -= purse.missing + cost.fee
    const of = { chainId, from: donor.owner, kind: 'fees', holding: null, to: purse.owner.address } as const
    fees.push({ ...of, amount: purse.missing, ...cost })
    toCover.set(purse, 0n)
  }
  const able = purses.filter((purse) => toCover.get(purse) === 0n)
  plan.moves.push(...fees, ...able.flatMap(({ moves }) => moves))
  for (const purse of able) {
    const holding = purse.holdings.find(({ kind }) => kind === 'coin') ?? null
    const cost = await payment(purse.destination)
    // Coin of a note arrives where there may have been none.
    if (purse.rest > cost.fee && (holding || purse.moves.some(({ kind }) => kind === 'recover')))
      plan.moves.push({
        chainId,
        from: purse.owner,
        kind: 'coin',
        holding,
        to: purse.destination,
        amount: purse.rest - cost.fee,
        ...cost,
      })
    else if (holding) plan.dust.push(holding)
  }
  for (const { owner, missing, holdings: own } of purses.filter((purse) => !able.includes(purse)))
    plan.short.push({ chainId, owner, missing, holdings: own })
}

/** Gas and fee of a payment of coin, by who receives it: a contract takes more. */
async function readPaymentCosts(
  chain: RecoveryChain,
  gasPrice: bigint,
): Promise<(to: Address) => Promise<{ gas: bigint; fee: bigint }>> {
  const dataFee = await readDataFee(chain, 0)
  const read = async (to: Address) => {
    const gas = await estimate(chain, { to, value: 1n }, COIN_GAS)
    return { gas, fee: gas * gasPrice + dataFee }
  }
  const known = new Map<Address, ReturnType<typeof read>>()
  return (to) => {
    const cost = known.get(to) ?? read(to)
    known.set(to, cost)
    return cost
  }
}

async function listContracts(
  { chainId, reader }: RecoveryChain,
  purses: readonly Purse[],
): Promise<Plan['contracts']> {
  const codes = [...new Set(purses.map(({ destination }) => destination))].map(async (address) => ({
    address,
    code: await reader.getCode({ address }),
  }))
  return (
    (await Promise.all(codes))
      .filter(({ code }) => code !== undefined && code !== '0x')
      // An address with a delegation is still its owner's.
      .filter(({ code }) => !code?.startsWith('0xef0100'))
      .map(({ address }) => ({ chainId, address }))
  )
}

/** One that is joined with the purse anyway, else the richest: then few addresses are joined. */
function findDonor(donors: readonly Purse[], purse: Purse, needed: bigint): Purse | undefined {
  const able = donors.filter((one) => one !== purse && one.missing === 0n && one.rest >= needed)
  const joined = able.filter(({ destination }) => isAddressEqual(destination, purse.destination))
  const [richest] = (joined.length > 0 ? joined : able).toSorted((one, other) =>
    one.rest > other.rest ? -1 : 1,
  )
  return richest
}

async function fillPurse(
  chain: RecoveryChain,
  { own, coin, gasPrice, options }: { own: Holding[]; coin: bigint; gasPrice: bigint; options: PlanOptions },
): Promise<Purse> {
  const [{ owner }] = own as [Holding, ...Holding[]]
  const { chainId } = chain
  const to = options.destination
  const destination = typeof to === 'function' ? to({ chainId, owner }) : to
  const purse: Purse = { owner, destination, coin, holdings: own, moves: [], missing: 0n, rest: coin }
  const add = async (move: Omit<Move, 'chainId' | 'from' | 'fee' | 'gas'>, gas: bigint, income = 0n) => {
    const fee = gas * gasPrice + (await readDataFee(chain, 1_000))
    purse.moves.push({ ...move, chainId, from: owner, gas, fee })
    purse.rest -= fee
    // All fees count before what a note brings: a node takes a transaction only if its sender can pay.
    if (purse.rest < 0n) {
      purse.missing -= purse.rest
      purse.rest = 0n
    }
    purse.rest += income
  }
  const notes = own.filter((holding) => holding.kind === 'note')
  const isOfCoin = (holding: (typeof notes)[number]) => isAddressEqual(holding.pool.token, ZERO)
  for (const holding of notes.toSorted((one, other) => Number(isOfCoin(other)) - Number(isOfCoin(one)))) {
    const { amount } = holding
    const move = { kind: 'recover', holding, to: owner.address, amount } as const
    await add(move, GAS.recover, isOfCoin(holding) ? amount : 0n)
  }
  for (const holding of own.filter((one) => one.kind === 'sale')) {
    const { amount, escrow, depositId } = holding
    const call = { to: escrow, data: encodeUnsell(depositId) }
    const gas = await estimate(chain, { ...call, from: owner.address }, GAS.unsell)
    await add({ kind: 'unsell', holding, to: owner.address, amount }, gas)
  }
  for (const holding of listTokens(own)) {
    const { token, amount } = holding
    const call = { to: token, data: encodeTransfer(destination, amount) }
    const gas = await estimate(chain, { ...call, from: owner.address }, GAS.token)
    await add({ kind: 'token', holding, to: destination, amount }, gas)
  }
  for (const holding of own.filter(({ kind }) => kind === 'collectible')) {
    if (holding.kind !== 'collectible') continue
    const call = { to: holding.contract, data: encodeGift(owner.address, destination, holding.tokenId) }
    const gas = await estimate(chain, { ...call, from: owner.address }, GAS.collectible)
    await add({ kind: 'collectible', holding, to: destination, amount: 1n }, gas)
  }
  return purse
}

type TokenToMove = Extract<Holding, { kind: 'token' }>

/** The tokens of an address with those that its notes bring. */
function listTokens(own: readonly Holding[]): TokenToMove[] {
  const byToken = new Map<string, TokenToMove>()
  for (const holding of own) {
    const token = tokenOf(holding)
    if (!token) continue
    const before = byToken.get(token.token.toLowerCase())
    byToken.set(
      token.token.toLowerCase(),
      before ? { ...before, amount: before.amount + token.amount } : token,
    )
  }
  return [...byToken.values()]
}

const ZERO = '0x0000000000000000000000000000000000000000'

function tokenOf(holding: Holding): TokenToMove | null {
  if (holding.kind === 'token') return holding
  if (holding.kind === 'sale') return { ...holding, kind: 'token', isKnown: true }
  if (holding.kind !== 'note' || isAddressEqual(holding.pool.token, ZERO)) return null
  const { chainId, owner, symbol, decimals, amount, pool } = holding
  return { kind: 'token', chainId, owner, token: pool.token, symbol, decimals, amount, isKnown: true }
}

export const encodeTransfer = (to: Address, amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })

export const encodeUnsell = (depositId: bigint): Hex =>
  encodeFunctionData({ abi: escrowAbi, functionName: 'withdrawDeposit', args: [depositId] })

export const encodeGift = (from: Address, to: Address, tokenId: bigint): Hex =>
  encodeFunctionData({ abi: collectibleAbi, functionName: 'safeTransferFrom', args: [from, to, tokenId] })

/** With a reserve of a fifth, except for plain payments, which take the same always. */
async function estimate(
  { reader }: RecoveryChain,
  call: { from?: Address; to: Address; value?: bigint; data?: Hex },
  otherwise: bigint,
): Promise<bigint> {
  const { from, ...rest } = call
  const gas = await reader.estimateGas({ ...rest, ...(from && { account: from }) }).catch(() => otherwise)
  return gas === COIN_GAS ? gas : (gas * 6n) / 5n
}

/** The contract by which rollups of the OP Stack price their data on Ethereum. */
const DATA_FEES = '0x420000000000000000000000000000000000000F'
const dataFeeAbi = [
  {
    name: 'getL1FeeUpperBound',
    type: 'function',
    stateMutability: 'view',
    inputs: [{ type: 'uint256', name: 'size' }],
    outputs: [{ type: 'uint256' }],
  },
] as const

/** A transaction's fee for its data, twice over; 0 on chains that take none. @param bytes Of its calldata. */
async function readDataFee({ reader }: RecoveryChain, bytes: number): Promise<bigint> {
  const code = await reader.getCode({ address: DATA_FEES })
  if (code === undefined || code === '0x') return 0n
  const asked = { address: DATA_FEES, abi: dataFeeAbi, functionName: 'getL1FeeUpperBound' } as const
  return 2n * (await reader.readContract({ ...asked, args: [BigInt(bytes + 120)] }))
}
