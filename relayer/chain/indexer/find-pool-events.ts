import { decodeEventLog, getAddress, parseAbi, toEventHash, type Address, type Hex } from 'viem'
import type { FoundPoolEvent } from './block-facts.ts'
import type { RawLog } from './raw-block.ts'

/** Events of the Entrypoint and the pools of Privacy Pools v1. */
const events = parseAbi([
  'event PoolRegistered(address _pool, address _asset, uint256 _scope)',
  'event PoolRemoved(address _pool, address _asset, uint256 _scope)',
  'event RootUpdated(uint256 _root, string _ipfsCID, uint256 _timestamp)',
  'event WithdrawalRelayed(address indexed _relayer, address indexed _recipient, address indexed _asset, uint256 _amount, uint256 _feeAmount)',
  'event Withdrawn(address indexed _processooor, uint256 _value, uint256 _spentNullifier, uint256 _newCommitment)',
  'event Ragequit(address indexed _ragequitter, uint256 _commitment, uint256 _label, uint256 _value)',
  'event LeafInserted(uint256 _index, uint256 _leaf, uint256 _root)',
])
/** Two events of one name, which therefore have an ABI each. */
const poolDeposit = parseAbi([
  'event Deposited(address indexed _depositor, uint256 _commitment, uint256 _label, uint256 _value, uint256 _precommitmentHash)',
])
const entrypointDeposit = parseAbi([
  'event Deposited(address indexed _depositor, address indexed _pool, uint256 _commitment, uint256 _amount)',
])

const [POOL_DEPOSIT, ENTRYPOINT_DEPOSIT] = [poolDeposit, entrypointDeposit].map(([event]) =>
  toEventHash(event),
)
/** The other events by topic, because viem would hash each given event to find the one of a log. */
const OTHERS = new Map<string, [(typeof events)[number]]>(
  events.map((event) => [toEventHash(event), [event]]),
)

type Details = Partial<FoundPoolEvent> & Pick<FoundPoolEvent, 'kind'>

/** Finds logs in the form of pool and Entrypoint events, from any emitter. */
export function findPoolEvents(logs: readonly RawLog[]): FoundPoolEvent[] {
  return logs.flatMap((log) => {
    const details = readDetails(log)
    if (!details) return []
    return {
      ...NOTHING,
      logIndex: Number(log.logIndex),
      txHash: log.transactionHash,
      contract: getAddress(log.address),
      ...details,
    }
  })
}

/** True for the kinds that an Entrypoint emits; the others come from pools. */
export const isOfEntrypoint = ({ kind }: { kind: FoundPoolEvent['kind'] }): boolean =>
  kind !== 'deposit' && kind !== 'withdrawal' && kind !== 'ragequit' && kind !== 'leaf'

const NOTHING = {
  pool: null,
  asset: null,
  account: null,
  relayer: null,
  value: null,
  fee: null,
  commitment: null,
  label: null,
  precommitment: null,
  nullifierHash: null,
  root: null,
  leafIndex: null,
  scope: null,
  ipfsCid: null,
} as const

function readDetails(log: RawLog): Details | null {
  const [topic] = log.topics
  if (!topic) return null
  const { data } = log
  const topics = log.topics as [Hex, ...Hex[]]
  try {
    if (topic === POOL_DEPOSIT) {
      const { args } = decodeEventLog({ abi: poolDeposit, data, topics })
      return {
        kind: 'deposit',
        account: args._depositor,
        commitment: args._commitment,
        label: args._label,
        value: args._value,
        precommitment: args._precommitmentHash,
      }
    }
    if (topic === ENTRYPOINT_DEPOSIT) {
      const { args } = decodeEventLog({ abi: entrypointDeposit, data, topics })
      return {
        kind: 'entrypoint-deposit',
        account: args._depositor,
        pool: args._pool,
        commitment: args._commitment,
        value: args._amount,
      }
    }
    const other = OTHERS.get(topic)
    return other ? readOther(other, topics, data) : null
  } catch {
    // Any contract may emit anything under these names.
    return null
  }
}

function readOther(abi: [(typeof events)[number]], topics: [Hex, ...Hex[]], data: Hex): Details {
  const event = decodeEventLog({ abi, data, topics })
  switch (event.eventName) {
    case 'PoolRegistered':
      return { kind: 'pool-registered', ...readRegistration(event.args) }
    case 'PoolRemoved':
      return { kind: 'pool-removed', ...readRegistration(event.args) }
    case 'RootUpdated':
      return { kind: 'asp-root', root: event.args._root, ipfsCid: event.args._ipfsCID.replaceAll('\0', '') }
    case 'WithdrawalRelayed':
      return {
        kind: 'relay',
        relayer: event.args._relayer,
        // The recipient is not stored: an own one appears in a transfer of the transaction, and strangers' are never stored.
        asset: event.args._asset,
        value: event.args._amount,
        fee: event.args._feeAmount,
      }
    case 'Withdrawn':
      return {
        kind: 'withdrawal',
        account: event.args._processooor,
        value: event.args._value,
        nullifierHash: event.args._spentNullifier,
        commitment: event.args._newCommitment,
      }
    case 'Ragequit':
      return {
        kind: 'ragequit',
        account: event.args._ragequitter,
        commitment: event.args._commitment,
        label: event.args._label,
        value: event.args._value,
      }
    case 'LeafInserted':
      // An index beyond the tree's capacity is no leaf.
      if (event.args._index >= 2n ** 32n) throw new RangeError('no tree is that large')
      return {
        kind: 'leaf',
        leafIndex: event.args._index,
        commitment: event.args._leaf,
        root: event.args._root,
      }
    default:
      return event satisfies never
  }
}

const readRegistration = (args: { _pool: Address; _asset: Address; _scope: bigint }) => ({
  pool: args._pool,
  asset: args._asset,
  scope: args._scope,
})
