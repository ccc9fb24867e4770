import type { Abi, Hex } from 'viem'

/** The contracts that are deployed, by the file that holds them. */
export const CONTRACT_NAMES = [
  'WithdrawVerifier',
  'CommitmentVerifier',
  'Entrypoint',
  'EntrypointProxy',
  'TestToken',
  'NativePool',
  'TokenPool',
  'Multicall',
  'TestCollectible',
  'TestMultiToken',
  'SanctionsList',
  'UniversalResolver',
  'TaxedToken',
  'StrictToken',
  'PoolSeed',
  'CashEscrow',
  'CashOrchestrator',
  'CashRates',
] as const

/** A contract that the devnet compiles. */
export type ContractName = (typeof CONTRACT_NAMES)[number]

/** Positions of immutable variables in the runtime code, in bytes, by the compiler's number of each. */
export type ImmutableReferences = Record<string, { start: number; length: number }[]>

/** The compiler's output of one contract. */
export interface CompiledContract {
  abi: Abi
  bytecode: Hex
  /** The code that runs, with zeros for immutable variables. */
  runtimeBytecode: Hex
  immutableReferences: ImmutableReferences
  /** JSON text of the compiler, as it hashes it. */
  metadata: string
}

/** The compiler's output of the contracts. */
export type ContractBuild = Record<ContractName, CompiledContract>
