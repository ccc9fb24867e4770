import { concatHex, encodeAbiParameters, getContractAddress, keccak256, zeroAddress, zeroHash } from 'viem'
import type { Address, Hex } from 'viem'
import {
  CREATE2_DEPLOYER,
  OUTPUT_GUARD_DEPLOYMENT,
} from '../../../relayer/transact/venues/swap/kyberswap/kyberswap-venue.ts'
import published from './contracts.json' with { type: 'json' }

/** A contract that its code and arguments alone place at an address, the same on every chain. */
export interface PlannedContract {
  name: string
  address: Address
  /** Source of its code, for people. */
  origin: string
  /** Of the creation code without arguments. */
  codeHash: Hex
  /** The transaction that creates it; anybody may send it. */
  to: Address
  data: Hex
}

/** Contracts for sending by the names of the settings, the guard of aggregators, and the resolver of names. */
export interface ContractPlan {
  orchestrator: PlannedContract
  accountImplementation: PlannedContract
  accountProxy: PlannedContract
  simulator: PlannedContract
  outputGuard: PlannedContract
  resolver?: PlannedContract
}

/** Arguments of the resolver of the accounts' names. */
export interface ResolverArguments {
  /** The service's public address, without a slash at its end. */
  origin: string
  /** Address of `names.signerKey`. */
  signer: Address
}

/** Plans every contract in an order in which none needs a later one. */
export function planContracts(resolver: ResolverArguments | null): ContractPlan {
  const orchestrator = plan('Orchestrator')
  const accountImplementation = plan('IthacaAccount', encode(['address'], [orchestrator.address]))
  // A proxy without an admin runs the same code for ever.
  const accountProxy = plan(
    'EIP7702Proxy',
    encode(['address', 'address'], [accountImplementation.address, zeroAddress]),
  )
  return {
    orchestrator,
    accountImplementation,
    accountProxy,
    simulator: plan('Simulator'),
    outputGuard: create(
      'OutputGuard',
      'relayer/transact/venues/swap/kyberswap/contracts/OutputGuard.sol by solc 0.8.30',
      `0x${OUTPUT_GUARD_DEPLOYMENT.data.slice(zeroHash.length)}`,
    ),
    ...(resolver && {
      resolver: plan(
        'OffchainResolver',
        encode(['string', 'address[]'], [`${resolver.origin}/ccip/{sender}/{data}.json`, [resolver.signer]]),
      ),
    }),
  }
}

const encode = (kinds: readonly string[], values: readonly unknown[]): Hex =>
  encodeAbiParameters(
    kinds.map((type) => ({ type })),
    values,
  )

function plan(name: keyof typeof published, args: Hex = '0x'): PlannedContract {
  const { origin, code } = published[name]
  return create(name, origin, code as Hex, args)
}

function create(name: string, origin: string, code: Hex, args: Hex = '0x'): PlannedContract {
  const bytecode = concatHex([code, args])
  return {
    name,
    address: getContractAddress({ opcode: 'CREATE2', from: CREATE2_DEPLOYER, salt: zeroHash, bytecode }),
    origin,
    codeHash: keccak256(code),
    to: CREATE2_DEPLOYER,
    data: concatHex([zeroHash, bytecode]),
  }
}
