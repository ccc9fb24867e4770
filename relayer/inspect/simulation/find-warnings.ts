import type { CommonQueryMethods } from 'slonik'
import { getAddress, isAddressEqual, size, zeroAddress, type Address } from 'viem'
import { findOwnAddresses } from '../../../db/activity/account-activity.ts'
import type { Chain } from '../../chain/nodes/chain.ts'
import type { SimulatedChange, SimulationRequest, SimulationWarning, WarningCode } from './simulation.ts'
import { matchKnown, type KnownMatch } from '../../transact/safety/check-recipient.ts'

/** Maximum of addresses that are checked closely, which bounds the cost of a simulation. */
const MAX_LOOKED_AT = 16

/**
 * Finds the warnings about calls and their changes.
 * @param about `spam`: tokens that are likely spam. `isOwn`: `from` is an address of the account. `readsEnvironment`:
 * the call may end otherwise on chain. `isLeftOut`: the service's EVM had no capacity to check it.
 */
export async function findWarnings(
  database: CommonQueryMethods,
  chain: Chain,
  accountId: string,
  { from, calls }: SimulationRequest,
  about: {
    changes: readonly SimulatedChange[]
    spam: readonly Address[]
    isOwn: boolean
    readsEnvironment: boolean
    isLeftOut: boolean
  },
): Promise<readonly SimulationWarning[]> {
  const { changes, spam, isOwn, readsEnvironment, isLeftOut } = about
  const given = changes.filter(({ type, rawAmount }) => type.startsWith('approval') && rawAmount > 0n)
  const moves = changes.filter(({ type }) => type === 'transfer')
  const recipients = addressesOf(
    [...moves, ...given].filter((one) => isAddressEqual(one.from, from)).map(({ to }) => to),
  )
  const withData = addressesOf(calls.filter(({ data }) => size(data) > 0).map(({ to }) => to))
  const spenders = addressesOf(given.map(({ to }) => to))
  const others = [...new Set(moves.flatMap((one) => [one.from, one.to]))].filter(
    (one) => one !== zeroAddress && !isAddressEqual(one, from) && !recipients.includes(one),
  )
  const [codeless, ownOthers, matches] = await Promise.all([
    findCodeless(chain, addressesOf([...withData, ...spenders]).filter(lacksEvidence(changes))),
    others.length === 0 ? new Set<string>() : findOwnAddresses(database, accountId, others),
    matchAll(database, accountId, recipients),
  ])
  const isOfAccount = (address: Address) =>
    isAddressEqual(address, from) ? isOwn : (matches.get(address)?.owned ?? ownOthers.has(address))
  // By ERC-7821 the zero address stands for the account itself.
  const isSelf = ({ to }: { to: Address }) =>
    isAddressEqual(to, from) || (isOwn && isAddressEqual(to, zeroAddress))
  const joining = moves.filter(
    (one) => isOfAccount(one.from) && isOfAccount(one.to) && !isAddressEqual(one.from, one.to),
  )
  return [
    ...warn('SELF_CALL', calls.some(isSelf) ? [from] : []),
    ...warn(
      'CALL_TO_NO_CODE',
      withData.filter((address) => codeless.has(address)),
    ),
    ...warnOfApprovals(given, codeless),
    ...warn('SPAM_TOKEN', spam),
    ...warn(
      'LOOKALIKE_RECIPIENT',
      [...matches].flatMap(([address, { poisoning, owned }]) => (poisoning && !owned ? [address] : [])),
    ),
    ...warn(
      'LINKS_OWN_ADDRESSES',
      joining.map(({ to }) => to),
    ),
    ...(readsEnvironment ? [{ code: 'ENVIRONMENT_READ' as const, address: null }] : []),
    ...(isLeftOut ? [{ code: 'NOT_CHECKED' as const, address: null }] : []),
  ]
}

/** A contract that logged a change has code. */
const lacksEvidence = (changes: readonly SimulatedChange[]) => {
  const told = new Set(changes.map(({ token }) => token.address))
  return (address: Address) => !told.has(address)
}

const warnOfApprovals = (
  given: readonly SimulatedChange[],
  codeless: ReadonlySet<Address>,
): SimulationWarning[] => [
  ...warn(
    'UNLIMITED_APPROVAL',
    given.filter(({ unlimited }) => unlimited).map(({ to }) => to),
  ),
  ...warn(
    'OPERATOR_APPROVAL',
    given.filter(({ type }) => type === 'approval_for_all').map(({ to }) => to),
  ),
  ...warn(
    'APPROVAL_TO_KEY',
    addressesOf(given.map(({ to }) => to)).filter((address) => codeless.has(address)),
  ),
]

const warn = (code: WarningCode, addresses: readonly Address[]) =>
  [...new Set(addresses)].map((address): SimulationWarning => ({ code, address }))

const addressesOf = (addresses: readonly Address[]) =>
  [...new Set(addresses.map((address) => getAddress(address)))].slice(0, MAX_LOOKED_AT)

/** True for precompiled contracts, which read calldata although they have no code. */
const isPrecompile = (address: Address) => BigInt(address) <= 0x1ffn

async function findCodeless(chain: Chain, addresses: readonly Address[]): Promise<ReadonlySet<Address>> {
  const codes = await Promise.all(
    addresses.map((address) =>
      // Without an answer the address gets no warning.
      chain.client.getCode({ address, blockTag: 'latest' }).catch(() => '0x00' as const),
    ),
  )
  return new Set(
    addresses.filter((address, index) => (codes[index] ?? '0x') === '0x' && !isPrecompile(address)),
  )
}

async function matchAll(
  database: CommonQueryMethods,
  accountId: string,
  recipients: readonly Address[],
): Promise<ReadonlyMap<Address, KnownMatch>> {
  const matches = recipients.map(
    async (address) => [address, await matchKnown({ database }, accountId, address)] as const,
  )
  return new Map(await Promise.all(matches))
}
