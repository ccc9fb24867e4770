import { createCustomCommon, Mainnet } from '@ethereumjs/common'
import { createEVM, type EVM, type EVMBN254Interface, type PrecompileFunc } from '@ethereumjs/evm'
import type { ChainRules } from './node-view.ts'
import type { SimulationLimits } from './simulation-limits.ts'

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

/** The least time of one call of a precompile, which nothing can interrupt. */
interface Expectation {
  ms: number
  gas: number
}

/** A 32-byte word of the input, padded with zeros past its end. */
function readWord(data: Uint8Array, index: number): number {
  const word = data.subarray(index * 32, (index + 1) * 32)
  return word.reduce((value, byte, place) => value + byte * 256 ** (31 - place), 0)
}

/** By square and multiply, where every step also shifts the whole exponent. Only the exponent's length is charged. */
function expectModExp(data: Uint8Array): Expectation {
  const [base, exponent, modulus] = [readWord(data, 0), readWord(data, 1), readWord(data, 2)]
  if (base === 0 && modulus === 0) return { ms: 0, gas: 0 }
  const words = Math.ceil(Math.max(base, modulus) / 8)
  const bits = 8 * exponent
  return {
    ms: bits * (exponent * 2e-8 + words ** 2 * 1e-6 + 1e-4),
    gas: ((bits - 256) * words ** 2) / 3, // EIP-2565; later prices are higher
  }
}

const perItem = (bytes: number, ms: number, gas: number) => (data: Uint8Array) => ({
  ms: (data.length / bytes) * ms,
  gas: (data.length / bytes) * gas,
})

const EXPECTATIONS = new Map<number, (data: Uint8Array) => Expectation>([
  [0x05, expectModExp],
  [
    0x09, // BLAKE2: rounds in the first four bytes, one gas each
    (data) => {
      const rounds = Math.floor(readWord(data, 0) / 256 ** 28)
      return { ms: rounds / 3_000, gas: rounds }
    },
  ],
  [0x0c, perItem(160, 0.5, 6_000)], // BLS12-381 in G1
  [0x0e, perItem(288, 1, 10_000)], // in G2
  [0x0f, perItem(384, 4, 32_600)], // pairs
])

/** Announces the time of a precompile before it runs, unless its gas is too low. */
function announceSlowPrecompiles(evm: EVM, announce: (expectedMs: number) => void): void {
  for (const [address, expect] of EXPECTATIONS) {
    const key = address.toString(16).padStart(40, '0')
    const precompile = evm.precompiles.get(key)
    if (!precompile) continue
    const announced: PrecompileFunc = (input) => {
      const { ms, gas } = expect(input.data)
      if (gas <= Number(input.gasLimit)) announce(ms)
      return precompile(input)
    }
    evm.precompiles.set(key, announced)
  }
}
