import { pad, type Address, type Hex } from 'viem'

/** Converts an EVM address to Across's form for addresses of any chain: twelve zero bytes, then the address. */
export const toBytes32 = (address: Address): Hex => pad(address, { size: 32 }).toLowerCase() as Hex
