import { randomBytes } from 'node:crypto'
import { bytesToHex, getAddress, type Address } from 'viem'

/** Creates a random address to use in queries whose answer does not depend on the real one. */
export const createStandIn = (): Address => getAddress(bytesToHex(randomBytes(20)))
