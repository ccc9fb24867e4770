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
] as const

/** A contract that the devnet compiles. */
export type ContractName = (typeof CONTRACT_NAMES)[number]

/** What the compiler made of the contracts. */
export type ContractBuild = Record<ContractName, { abi: Abi; bytecode: Hex }>
