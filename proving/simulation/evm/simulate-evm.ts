import { bytesToHex, createAddressFromString, hexToBytes } from '@ethereumjs/util'
import { z } from 'zod'
import { checkNative } from '../assets/check-native.ts'
import { askBalance, checkTokens, type ProbeWord } from '../assets/check-tokens.ts'
import { checkApprovals } from '../assets/check-approvals.ts'
import { readChanges } from '../assets/check-watched.ts'
import { decodeTransfers } from '../assets/decode-transfers.ts'
import type { AssetChange, BalanceChange, CallAudit, SimulateJob, Watch } from '../../simulate-job.ts'
import { RpcRefusal } from '../../rpc/json-rpc.ts'
import { toRpcCall, type CallResult, type Hex } from '../provider.ts'
import { createEvmShelf, type EvmShelf } from './evm-shelf.ts'
import { JournaledState } from './journaled-state.ts'
import { createNodeViews, type NodeView } from './node-view.ts'
import { runTransaction, type Execution } from './run-transaction.ts'
import {
  createSimulationLimits,
  SimulationLimitError,
  type SimulationLimits,
  type SimulationTime,
} from './simulation-limits.ts'
import { accessList, StateReader, type AccessList } from './state-reader.ts'
import type { EVMRunCallOpts } from '@ethereumjs/evm'
import { computeNextBaseFee } from '../next-base-fee.ts'
import type { BlockHeader } from './block-state.ts'

const MAX_RETURN_BYTES = 65_536
const MAX_LOGS = 2_000
const MAX_LOG_BYTES = 1_048_576
const PROBE_GAS = 300_000n

type Evm = Parameters<typeof runTransaction>[0]

/** A result with its assets, as a provider returns it. */
export type EvmResult = CallResult & {
  assetChangesComplete: boolean
  assetChanges: readonly AssetChange[]
  watched: readonly BalanceChange[] | null
  audit?: CallAudit | undefined
}

/** Simulates on an EVM of this thread, reading the state from a node. */
export interface EvmSimulator {
  /** Throws SimulationLimitError; TransportError or RpcRefusal when the node cannot provide the state. */
  simulate(url: string, job: SimulateJob, time: SimulationTime): Promise<EvmResult>
}

/** Asks the node which state the call will read; a node without such a method costs one useless round trip. */
function foreseeAccess({ ask, state }: NodeView, { call }: SimulateJob): () => Promise<AccessList> {
  return async () => {
    const parties = [call.from, call.to].filter((address) => address !== null)
    const places = parties.map((address) => ({ address, storageKeys: [] }))
    const answer = await ask('eth_createAccessList', [toRpcCall({ call }), state.block]).catch(
      (error: unknown) => {
        if (error instanceof RpcRefusal) return { accessList: [] }
        throw error
      },
    )
    return [...places, ...z.object({ accessList }).parse(answer).accessList]
  }
}

/** Reads the watched balances before and after, from the state and the tokens. */
async function readWatched(watch: Watch, states: States, probe: ProbeWord): Promise<BalanceChange[]> {
  const balanceOf = async (moment: 'before' | 'after', owner: Hex, token: Hex | null) => {
    if (token !== null) return probe(moment, token, askBalance(owner, null))
    const account = await states[moment].getAccount(createAddressFromString(owner.toLowerCase()))
    return account?.balance ?? 0n
  }
  const readAll = async (moment: 'before' | 'after') => {
    const balances: (bigint | null)[] = []
    for (const owner of watch.owners)
      for (const token of watch.tokens) balances.push(await balanceOf(moment, owner, token))
    return balances
  }
  return readChanges(watch, { before: await readAll('before'), after: await readAll('after') })
}

/** Returns the logs within bounds, and whether these are all. */
function boundLogs(logs: Execution['logs']): { logs: Execution['logs']; all: boolean } {
  let bytes = 0
  const within = logs.slice(0, MAX_LOGS).filter(({ data }) => (bytes += data.length / 2) <= MAX_LOG_BYTES)
  return { logs: within, all: within.length === logs.length }
}

/**
 * Loads the EVM library and prepares the instances that simulations borrow. See EvmSimulator for the errors.
 */
export async function createEvmSimulator(): Promise<EvmSimulator> {
  const shelf = await createEvmShelf()
  const views = createNodeViews()
  return {
    async simulate(url, job, time) {
      const limits = createSimulationLimits(time)
      const view = await limits.wait(views.open(url))
      return new Simulation(view, job, limits).run(shelf)
    },
  }
}

/** The states of a call that succeeded. */
interface States {
  before: JournaledState
  after: JournaledState
}

/** A borrowed EVM, and how to switch it to a state. */
interface Borrowed {
  evm: Evm
  enter: (state: JournaledState) => Promise<void>
}

interface Assets {
  changes: AssetChange[]
  complete: boolean
  watched: BalanceChange[] | null
  audit?: Omit<CallAudit, 'readsEnvironment'>
}

const NO_ASSETS = { assetChanges: [], assetChangesComplete: false, watched: null }

/** One simulation on the state of a node. */
class Simulation {
  readonly #view: NodeView
  readonly #job: SimulateJob
  readonly #limits: SimulationLimits
  readonly #reader: StateReader
  readonly #block: Block
  /** The result without its assets, once the call has succeeded. */
  #finished: EvmResult | undefined

  constructor(view: NodeView, job: SimulateJob, limits: SimulationLimits) {
    this.#view = view
    this.#job = job
    this.#limits = limits
    this.#block = foreseeNextBlock(view.state.header, job)
    this.#reader = new StateReader(view.state, limits, foreseeAccess(view, job))
  }

  async run(shelf: EvmShelf): Promise<EvmResult> {
    try {
      return await shelf.borrow(
        this.#view.rules,
        this.#reader,
        this.#limits,
        (evm, enter, readsEnvironment) => this.#runIn({ evm, enter }, readsEnvironment),
      )
    } catch (error) {
      // the call has ended, only the check of its assets exceeded a limit
      if (this.#finished?.success && error instanceof SimulationLimitError) {
        return { ...this.#finished, assetChanges: decodeTransfers(this.#finished.logs).changes }
      }
      throw error
    }
  }

  async #runIn(borrowed: Borrowed, readsEnvironment: () => boolean): Promise<EvmResult> {
    const { call, fees, seen, authorizations = [], stateOverrides } = this.#job
    const after = new JournaledState(this.#reader, stateOverrides)
    await borrowed.enter(after)
    const { chainId } = this.#view.rules
    const transaction = { call, fees, seen, authorizations, chainId, block: this.#block }
    const execution = await runTransaction(borrowed.evm, after, transaction)
    const { gasUsed, success } = execution
    // Later reads, by the checks, are not the call's.
    const isCurious = readsEnvironment()
    const returnData = bytesToHex(execution.returnData.subarray(0, MAX_RETURN_BYTES))
    if (!success) return { success, gasUsed, data: returnData, message: execution.error, ...NO_ASSETS }
    const { logs, all } = boundLogs(execution.logs)
    const finished = { success, gasUsed, logs, returnData, ...NO_ASSETS }
    this.#finished = finished
    const before = new JournaledState(this.#reader, stateOverrides)
    const told = await this.#readAssets(borrowed, { before, after }, { ...execution, logs })
    const audit = told.audit && { ...told.audit, readsEnvironment: isCurious }
    return {
      ...finished,
      assetChanges: told.changes,
      watched: told.watched,
      assetChangesComplete: told.complete && all,
      ...(audit && { audit }),
    }
  }

  async #readAssets(borrowed: Borrowed, states: States, execution: Execution): Promise<Assets> {
    const { call, audit: isAudited, watch } = this.#job
    const tokens = decodeTransfers(execution.logs)
    const native = checkNative(execution, await listBalances(states.after))
    const probe = this.#createProbe(borrowed, states)
    const written = states.after.writtenContracts() as Hex[]
    const parties = [call.from, call.to].filter((address) => address !== null)
    const bystanders = [...new Set(parties.map((address) => address.toLowerCase() as Hex))]
    const changes = [...native.changes, ...tokens.changes]
    const audit = isAudited && (await checkApprovals(execution.logs, probe))
    const watched = watch ? await readWatched(watch, states, probe) : null
    const told = { changes, watched, ...(audit && { audit }) }
    const complete = native.complete && !tokens.undecodable
    if (!complete) return { ...told, complete }
    return { ...told, complete: await checkTokens(tokens.changes, written, bystanders, probe) }
  }

  #createProbe({ evm, enter }: Borrowed, states: States): ProbeWord {
    return async (moment, contract, data) => {
      await enter(states[moment])
      const { execResult } = await evm.runCall({
        caller: createAddressFromString(this.#job.call.from.toLowerCase()),
        to: createAddressFromString(contract),
        data: hexToBytes(data),
        gasLimit: PROBE_GAS,
        isStatic: true,
        skipNonceIncrement: true,
        block: this.#block,
      })
      if (execResult.exceptionError || execResult.returnValue.length < 32) return null
      return BigInt(bytesToHex(execResult.returnValue.subarray(0, 32)))
    }
  }
}

/** Lists the native balances of the changed accounts before and after the call, by address. */
async function listBalances(after: JournaledState): Promise<Map<string, { before: bigint; after: bigint }>> {
  const balances = new Map<string, { before: bigint; after: bigint }>()
  for (const address of after.changedAccounts()) {
    const account = await after.getAccount(createAddressFromString(address))
    const before = await after.balanceBefore(address)
    balances.set(address, { before, after: account?.balance ?? 0n })
  }
  return balances
}

type Block = NonNullable<EVMRunCallOpts['block']>

/**
 * Returns the block of a transaction sent now: the one after `head`, whose state is read. Time, base fee and blob price come
 * from the job, if it has them, else from the head. Proposer and randomness are the head's.
 */
function foreseeNextBlock(
  head: BlockHeader,
  { block: given, fees }: Pick<SimulateJob, 'block' | 'fees'>,
): Block {
  const time = given?.timestamp ?? BigInt(Math.floor(Date.now() / 1_000))
  const baseFee = given?.baseFeePerGas ?? computeNextBaseFee(head)
  return {
    header: {
      number: head.number + 1n,
      timestamp: time > head.timestamp ? time : head.timestamp + 1n,
      coinbase: createAddressFromString(head.miner),
      difficulty: 0n,
      prevRandao: hexToBytes(head.mixHash ?? `0x${'00'.repeat(32)}`),
      gasLimit: head.gasLimit,
      // A block that includes the transaction asks no more than its cap.
      baseFeePerGas: fees && fees.maxFeePerGas < baseFee ? fees.maxFeePerGas : baseFee,
      getBlobGasPrice: () => given?.blobBaseFee ?? 1n,
    },
  }
}
