import { keccak256, parseEther, parseUnits, slice, stringToHex, type Address, type Hex } from 'viem'
import { FIELD_ORDER } from '../../proving/field-element.ts'
import { deriveAccounts, type DevnetAccount } from '../devnet/accounts.ts'
import { computeAddresses } from '../devnet/deploy/devnet-addresses.ts'
import { VETTING_FEE_BPS, type DevnetPool } from '../devnet/deploy/devnet-assets.ts'
import { commitmentOf, type Note, type NoteSecrets } from '../../schema/client/pool/note.ts'
import { computeContext, computeLabel, encodeRelayData, type Withdrawal } from '../../relayer/pool/state/formulas.ts'

/*
 * What the relay vectors are about: who deposits what, in which order, and who withdraws how much of it. All of it is
 * computed, since labels, roots and contexts depend on addresses and order alone; only the proofs are stored.
 */

export type VectorPool = 'native' | 'token'

export interface VectorDeposit {
  pool: VectorPool
  /** What the depositor pays, vettingFee included. */
  gross: bigint
  note: Note
}

export interface VectorRelay {
  /** Place in the list of deposits. */
  deposit: number
  amount: bigint
  recipient: Address
  withdrawal: Withdrawal
  context: bigint
  change: NoteSecrets
}

export interface RelayStory {
  chainId: number
  entrypoint: Address
  depositor: DevnetAccount
  postman: DevnetAccount
  feeRecipient: Address
  pools: Record<VectorPool, DevnetPool>
  /** In the order in which they reach the chain; the ASP's root has all of them in the same order. */
  deposits: VectorDeposit[]
  relays: VectorRelay[]
  /** Place of the deposit that its depositor takes back in the open. */
  ragequit: number
}

export const VECTOR_CHAIN_ID = 31_337
export const VECTOR_RELAY_FEE_BPS = 100n
const NATIVE_DEPOSITS = 64
const TOKEN_DEPOSITS = 2
/** Each relay inserts a leaf as well: more than 63 of them, and the last would meet a forgotten state root. */
const NATIVE_RELAYS = 62

const AMOUNTS = {
  native: { gross: parseEther('1'), withdrawn: parseEther('0.9') },
  token: { gross: parseUnits('1000', 6), withdrawn: parseUnits('900', 6) },
}

export function tellRelayStory(): RelayStory {
  const accounts = deriveAccounts()
  const [depositor] = accounts.clients
  if (!depositor) throw new Error('the devnet has no client account')
  const { entrypoint, pools } = computeAddresses(accounts.deployer.address, VECTOR_CHAIN_ID)
  const [native, token] = pools
  const poolOf = { native, token }
  const feeRecipient = accounts.feeReceiver.address

  const makeDeposits = (pool: VectorPool, count: number): VectorDeposit[] =>
    Array.from({ length: count }, (_, index) => {
      const { gross } = AMOUNTS[pool]
      const value = gross - (gross * VETTING_FEE_BPS) / 10_000n
      const label = computeLabel(poolOf[pool].scope, BigInt(index + 1))
      return { pool, gross, note: { value, label, ...secretsOf(`${pool} deposit ${index}`) } }
    })
  const deposits = [...makeDeposits('native', NATIVE_DEPOSITS), ...makeDeposits('token', TOKEN_DEPOSITS)]

  const makeRelay = (deposit: number): VectorRelay => {
    const { pool } = at(deposits, deposit)
    const recipient = slice(hashText(`recipient ${deposit}`), 12)
    const data = encodeRelayData({ recipient, feeRecipient, relayFeeBps: VECTOR_RELAY_FEE_BPS })
    const withdrawal = { processooor: entrypoint, data }
    return {
      deposit,
      amount: AMOUNTS[pool].withdrawn,
      recipient,
      withdrawal,
      context: computeContext(withdrawal, poolOf[pool].scope),
      change: secretsOf(`change of deposit ${deposit}`),
    }
  }
  const relayed = [...deposits.keys()].filter((deposit) => deposit < NATIVE_RELAYS || deposit >= NATIVE_DEPOSITS)
  return {
    chainId: VECTOR_CHAIN_ID,
    entrypoint,
    depositor,
    postman: accounts.postman,
    feeRecipient,
    pools: poolOf,
    deposits,
    relays: relayed.map(makeRelay),
    ragequit: NATIVE_DEPOSITS - 1,
  }
}

/** Leaves of a pool's state tree after all deposits. */
export function stateLeaves(story: RelayStory, pool: VectorPool): bigint[] {
  return story.deposits.filter((deposit) => deposit.pool === pool).map(({ note }) => commitmentOf(note))
}

export function at<T>(list: readonly T[], index: number): T {
  const item = list[index]
  if (item === undefined) throw new Error(`there is no item ${index} in a list of ${list.length}`)
  return item
}

function secretsOf(name: string): NoteSecrets {
  const element = (part: string) => BigInt(hashText(`${name} ${part}`)) % FIELD_ORDER
  return { nullifier: element('nullifier'), secret: element('secret') }
}

function hashText(text: string): Hex {
  return keccak256(stringToHex(`relay vector: ${text}`))
}
