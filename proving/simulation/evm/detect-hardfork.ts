import { Hardfork } from '@ethereumjs/common'
import { RpcRefusal } from '../json-rpc.ts'
import type { Ask } from './request-batcher.ts'

/** The rules of execution that the EVM can follow, newest first. */
export type SupportedHardfork = typeof Hardfork.Osaka | typeof Hardfork.Prague | typeof Hardfork.Cancun

/** Returns the number of leading zeros of 1 by the instruction CLZ (EIP-7939), which Osaka brings. */
const COUNT_LEADING_ZEROS = { data: '0x60011e60005260206000f3' }
/** Adds infinity to itself on BLS12-381 (EIP-2537), which Prague brings; without the precompile nothing is returned. */
const ADD_INFINITY = { to: `0x${'0b'.padStart(40, '0')}`, data: `0x${'00'.repeat(256)}` }

/** Detects a chain's rules by its abilities. Both questions travel in one round trip. */
export async function detectHardfork(ask: Ask): Promise<SupportedHardfork> {
  const call = async (request: object): Promise<unknown> => {
    try {
      return await ask('eth_call', [request, 'latest'])
    } catch (error) {
      if (error instanceof RpcRefusal) return '0x'
      throw error
    }
  }
  const [zeros, point] = await Promise.all([call(COUNT_LEADING_ZEROS), call(ADD_INFINITY)])
  if (zeros === `0x${'ff'.padStart(64, '0')}`) return Hardfork.Osaka
  return typeof point === 'string' && point.length > 2 ? Hardfork.Prague : Hardfork.Cancun
}
