import { getAddress, parseEventLogs, type Address, type Hash, type PublicClient } from 'viem'
import { associationSetsAbi, poolEventsAbi } from '../pool-events.ts'

/** A pool whose deposits the devnet's association set provider reviews. */
export interface AspPool {
  asset: Address
  symbol: string
  decimals: number
  pool: Address
  scope: bigint
}

/** An event of a pool, in the terms of the ASP protocol. */
export interface PoolEvent {
  type: 'deposit' | 'withdrawal' | 'exit'
  pool: Address
  amount: bigint
  /** The depositor, or who called the pool. */
  address: Address
  txHash: Hash
  /** Seconds of the chain's clock. */
  timestamp: number
  /** Null for withdrawals, which hide it. */
  label: bigint | null
  /** Null for all but deposits. */
  precommitment: bigint | null
}

/** An association set root as the Entrypoint recorded it. */
export interface PublishedRoot {
  root: bigint
  ipfsCid: string
  /** Seconds of the chain's clock. */
  timestamp: number
}

/** All that the ASP knows, and all of it comes from the chain's logs. */
export interface ChainRecord {
  /** Commitments of each pool in insertion order. */
  leaves: Map<Address, bigint[]>
  /** In chain order. */
  events: PoolEvent[]
  /** In chain order: the last one counts. */
  roots: PublishedRoot[]
}

/** Follows the logs of one chain's Entrypoint and pools; a reorganisation starts the record anew. */
export class ChainReader {
  readonly #client: PublicClient
  readonly #entrypoint: Address
  readonly #pools: readonly AspPool[]
  readonly #startBlock: bigint
  #record: ChainRecord = emptyRecord()
  #last: { number: bigint; hash: Hash } | null = null

  constructor(options: {
    client: PublicClient
    entrypoint: Address
    pools: readonly AspPool[]
    startBlock: bigint
  }) {
    this.#client = options.client
    this.#entrypoint = options.entrypoint
    this.#pools = options.pools
    this.#startBlock = options.startBlock
  }

  /** The record up to the chain's head. */
  async read(): Promise<ChainRecord> {
    const head = await this.#client.getBlock()
    if (this.#last?.hash === head.hash) return this.#record
    if (this.#last && !(await this.#isOnChain(this.#last))) {
      this.#last = null
      this.#record = emptyRecord()
    }
    const fromBlock = this.#last ? this.#last.number + 1n : this.#startBlock
    if (fromBlock <= head.number) await this.#append(fromBlock, head.number)
    this.#last = { number: head.number, hash: head.hash }
    return this.#record
  }

  async #isOnChain(block: { number: bigint; hash: Hash }): Promise<boolean> {
    const found = await this.#client.getBlock({ blockNumber: block.number }).catch(() => null)
    return found?.hash === block.hash
  }

  async #append(fromBlock: bigint, toBlock: bigint): Promise<void> {
    const logs = await this.#client.getLogs({
      address: [this.#entrypoint, ...this.#pools.map(({ pool }) => pool)],
      fromBlock,
      toBlock,
    })
    for (const log of parseEventLogs({ abi: [...poolEventsAbi, ...associationSetsAbi], logs })) {
      // Nodes write addresses in lower case.
      const pool = getAddress(log.address)
      const common = {
        pool,
        txHash: log.transactionHash,
        timestamp: Number(log.blockTimestamp ?? 0n),
        label: null,
        precommitment: null,
      }
      if (log.eventName === 'RootUpdated') {
        const { _root: root, _ipfsCID: ipfsCid, _timestamp } = log.args
        this.#record.roots.push({ root, ipfsCid, timestamp: Number(_timestamp) })
      } else if (log.eventName === 'LeafInserted') {
        const leaves = this.#record.leaves.get(pool) ?? []
        this.#record.leaves.set(pool, leaves)
        leaves.push(log.args._leaf)
      } else if (log.eventName === 'Deposited') {
        const { _depositor: address, _value: amount, _label: label, _precommitmentHash } = log.args
        const precommitment = _precommitmentHash
        this.#record.events.push({ ...common, type: 'deposit', address, amount, label, precommitment })
      } else if (log.eventName === 'Withdrawn') {
        const { _processooor: address, _value: amount } = log.args
        this.#record.events.push({ ...common, type: 'withdrawal', address, amount })
      } else {
        const { _ragequitter: address, _value: amount, _label: label } = log.args
        this.#record.events.push({ ...common, type: 'exit', address, amount, label })
      }
    }
  }
}

function emptyRecord(): ChainRecord {
  return { leaves: new Map(), events: [], roots: [] }
}
