import { encodeAbiParameters, keccak256, parseAbiParameters, type Hash } from 'viem'
import type { BridgeDeposit } from '../bridge-deposit.ts'
import { toBytes32 } from './bytes32-address.ts'

const RELAY = parseAbiParameters([
  'V3RelayData relay, uint256 destinationChainId',
  'struct V3RelayData { bytes32 depositor; bytes32 recipient; bytes32 exclusiveRelayer; bytes32 inputToken; bytes32 outputToken; uint256 inputAmount; uint256 outputAmount; uint256 originChainId; uint256 depositId; uint32 fillDeadline; uint32 exclusivityDeadline; bytes message; }',
])

/**
 * Computes the hash by which a SpokePool identifies a deposit to be filled: `getV3RelayHash` of the contract. Two
 * deposits that differ in any member have different hashes, whatever their number.
 * @param depositId The number that the origin's SpokePool gave the deposit.
 */
export function computeRelayHash(deposit: BridgeDeposit, depositId: bigint): Hash {
  return keccak256(
    encodeAbiParameters(RELAY, [
      {
        depositor: toBytes32(deposit.depositor),
        recipient: toBytes32(deposit.recipient),
        exclusiveRelayer: toBytes32(deposit.exclusiveRelayer),
        inputToken: toBytes32(deposit.inputToken),
        outputToken: toBytes32(deposit.outputToken),
        inputAmount: deposit.inputAmount,
        outputAmount: deposit.outputAmount,
        originChainId: BigInt(deposit.originChainId),
        depositId,
        fillDeadline: deposit.fillDeadline,
        exclusivityDeadline: deposit.exclusivityDeadline,
        message: deposit.message,
      },
      BigInt(deposit.destinationChainId),
    ]),
  )
}
