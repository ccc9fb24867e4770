import { createCustomCommon, Mainnet } from '@ethereumjs/common'
import { createEVM, type EVM, type EVMBN254Interface } from '@ethereumjs/evm'
import type { ChainRules } from './node-view.ts'
import type { SimulationLimits } from './simulation-limits.ts'
import { announceSlowPrecompiles } from './slow-precompiles.ts'

/** Instructions through which every loop passes, and the one that costs most time for its gas. */
const WATCHED = [0x56 /* JUMP */, 0x57 /* JUMPI */, 0x20 /* KECCAK256 */]
/**
 * Instructions by which a contract can distinguish a simulation from a transaction: ORIGIN, GASPRICE, COINBASE, PREVRANDAO.
 */
const ENVIRONMENT = [0x32, 0x3a, 0x41, 0x44]
/** Reading the clock at each of them would take longer than they do. */
const LOOK_EVERY = 64

/** An EVM that runs one simulation at a time, and its watch. */
export interface WatchedEvm {
  evm: EVM
  /** The running simulation read a value that differs on chain. */
  readsEnvironment: boolean
  /** Limits of the running simulation. */
  limits: SimulationLimits | undefined
}

function watchInstructions(watched: WatchedEvm): void {
  let passed = 0
  for (const code of WATCHED) {
    const operation = watched.evm['_opcodeMap'][code]
    if (!operation) continue
    const run = operation.opHandler
    operation.opHandler = (runState, common) => {
      if (++passed % LOOK_EVERY === 0) watched.limits?.checkTime()
      return run(runState, common)
    }
  }
}

function watchEnvironment(watched: WatchedEvm): void {
  for (const code of ENVIRONMENT) {
    const operation = watched.evm['_opcodeMap'][code]
    if (!operation) continue
    const run = operation.opHandler
    operation.opHandler = (runState, common) => {
      watched.readsEnvironment = true
      return run(runState, common)
    }
  }
}

/** Creates an EVM that follows a chain's rules as mainnet would; it lacks the special features of layer 2 chains. */
export async function createWatchedEvm(
  { chainId, hardfork }: ChainRules,
  bn254: EVMBN254Interface,
): Promise<WatchedEvm> {
  const common = createCustomCommon({ chainId }, Mainnet, { hardfork })
  const evm = await createEVM({ common })
  evm['_bn254'] = bn254 // as an option of createEVM it would be overwritten
  const watched: WatchedEvm = { evm, readsEnvironment: false, limits: undefined }
  watchInstructions(watched)
  watchEnvironment(watched)
  announceSlowPrecompiles(evm, (expectedMs) => watched.limits?.reserve(expectedMs))
  evm.events.on('beforeMessage', () => watched.limits?.countFrame())
  return watched
}
