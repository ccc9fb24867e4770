import { pad, type Address, type Hex } from 'viem'

/** An EVM address as Across writes addresses of any chain: twelve zero bytes, then the address. */
export const toBytes32 = (address: Address): Hex => pad(address, { size: 32 }).toLowerCase() as Hex
