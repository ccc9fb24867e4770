import { randomBytes } from 'node:crypto'
import { bytesToHex, getAddress, type Address } from 'viem'

/** A random address that stands in somebody's place where whoever is asked need not know who it is. */
export const createStandIn = (): Address => getAddress(bytesToHex(randomBytes(20)))
