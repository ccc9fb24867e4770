import { getAddress, isAddress, type Address } from 'viem'

/** Burn addresses, and the pools' name for the native coin. */
const GRAVES: ReadonlySet<bigint> = new Set([
  0xdead000000000000000042069420694206942069n,
  0xffffffffffffffffffffffffffffffffffffffffn,
  0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeen,
])
/** Below it are the zero address, precompiles, and contracts of the chains. */
const FIRST_ORDINARY = 0x1_0000n
/** The OP stack has 2,048 contracts of the chain from here on. */
const FIRST_PREDEPLOY = 0x4200_0000_0000_0000_0000_0000_0000_0000_0000_0000n
const PREDEPLOYS = 2_048n

/** Settings that name a key's address. All other addresses in the settings of a chain are contracts. */
const OF_KEYS: ReadonlySet<string> = new Set(['feeReceiver', 'feeReceiverKey', 'gatingService'])

/** True if an address has no key: zero, a burn address, a precompile or a contract of the chain itself. */
export function isBurnAddress(address: Address): boolean {
  const number = BigInt(address)
  if (number < FIRST_ORDINARY) return true
  if (number >= FIRST_PREDEPLOY && number < FIRST_PREDEPLOY + PREDEPLOYS) return true
  return GRAVES.has(number)
}

/** Every contract that the settings of a chain name, for any purpose. */
export const listConfiguredContracts = (config: object): ReadonlySet<Address> =>
  new Set(listContractSettings(config).keys())

/** The same with the setting that names it first, such as `relayer.entrypoint`. */
export function listContractSettings(config: object): ReadonlyMap<Address, string> {
  const found = new Map<Address, string>()
  const collect = (value: unknown, path: readonly string[]): void => {
    if (typeof value === 'string') {
      if (isAddress(value) && !found.has(getAddress(value))) found.set(getAddress(value), path.join('.'))
      return
    }
    if (typeof value !== 'object' || value === null) return
    for (const [name, member] of Object.entries(value))
      if (!OF_KEYS.has(name)) collect(member, [...path, name])
  }
  collect(config, [])
  return found
}
