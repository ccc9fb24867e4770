import type { EVM } from '@ethereumjs/evm'
import { Account, concatBytes, createAddressFromString, hexToBytes } from '@ethereumjs/util'
import type { SimulatedAuthorization } from '../../simulate-job.ts'
import { isDelegation } from './code-cache.ts'
import { REFUND_PER_AUTHORIZATION } from './intrinsic-gas.ts'
import type { JournaledState } from './journaled-state.ts'

const DESIGNATOR = hexToBytes('0xef0100')

/**
 * Sets the codes of the authorities as the transaction would before its call (EIP-7702); invalid authorizations are skipped,
 * as on chain. Returns the gas to refund.
 */
export async function applyAuthorizations(
  evm: EVM,
  state: JournaledState,
  chainId: number,
  authorizations: readonly SimulatedAuthorization[],
): Promise<bigint> {
  let refund = 0n
  for (const authorization of authorizations) {
    if (authorization.chainId !== 0 && authorization.chainId !== chainId) continue
    const authority = createAddressFromString(authorization.authority.toLowerCase())
    evm.journal.addAlwaysWarmAddress(authority.toString())
    const code = await state.getCode(authority)
    if (code.length > 0 && !isDelegation(code)) continue
    const existing = await state.getAccount(authority)
    const account = existing ?? new Account()
    if (account.nonce !== authorization.nonce) continue
    if (existing) refund += REFUND_PER_AUTHORIZATION
    account.nonce += 1n
    await state.putAccount(authority, account)
    const target = hexToBytes(authorization.address)
    const clears = target.every((byte) => byte === 0)
    await state.putCode(authority, clears ? new Uint8Array(0) : concatBytes(DESIGNATOR, target))
  }
  return refund
}
