import { encodeAbiParameters, keccak256, parseAbiParameters, type Address, type Hash, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const PAYMENT = parseAbiParameters('bytes32 intentHash, uint256 releaseAmount')
const ATTESTATION = parseAbiParameters(
  '(bytes32 intentHash, uint256 releaseAmount, bytes32 dataHash, bytes[] signatures, bytes data, bytes metadata)',
)

/**
 * Attests as the witness that a buyer has paid for so much, in the orchestrator's form.
 * @param releaseAmount Smallest unit; less than the buyer holds if less was paid.
 */
export async function attestPayment(
  witnessKey: Hex,
  at: { chainId: number; orchestrator: Address },
  { intentHash, releaseAmount }: { intentHash: Hash; releaseAmount: bigint },
): Promise<Hex> {
  const data = encodeAbiParameters(PAYMENT, [intentHash, releaseAmount])
  const dataHash = keccak256(data)
  const signature = await privateKeyToAccount(witnessKey).signTypedData({
    domain: {
      name: 'UnifiedPaymentVerifier',
      version: '1',
      chainId: at.chainId,
      verifyingContract: at.orchestrator,
    },
    primaryType: 'PaymentAttestation',
    types: {
      PaymentAttestation: [
        { name: 'intentHash', type: 'bytes32' },
        { name: 'releaseAmount', type: 'uint256' },
        { name: 'dataHash', type: 'bytes32' },
      ],
    },
    message: { intentHash, releaseAmount, dataHash },
  })
  return encodeAbiParameters(ATTESTATION, [
    { intentHash, releaseAmount, dataHash, signatures: [signature], data, metadata: '0x' },
  ])
}
