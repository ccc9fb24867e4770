import { z } from 'zod'
import {
  absentIfNull,
  address,
  amount,
  bytes,
  chainId,
  decimal,
  digits,
  digitsLike,
  hash,
  timestamp,
} from '../../define/scalars.ts'
import { described, parameters, shape, strictShape } from '../../define/shape.ts'

const asset = described(address, 'The pool’s asset; 0xEeee…EEeE is the native one.')

export const detailsQuery = parameters({ chainId, assetAddress: asset })

export const relayerDetails = shape('RelayerDetails', 'The cost of relaying.', {
  feeBPS: described(digitsLike('10'), 'Base fee in basis points; a quote adds the gas.'),
  feeReceiverAddress: described(
    address,
    'Receiver of the fee; signs fee commitments unless the operator keeps another key for that.',
  ),
  chainId,
  assetAddress: asset,
  minWithdrawAmount: described(amount, 'Smallest withdrawal that is relayed, in the smallest unit.'),
  maxGasPrice: described(
    digitsLike('50000000000'),
    'Highest gas price at which withdrawals are relayed, in wei per gas.',
  ),
})

export const relayQuoteBody = strictShape('RelayerQuoteRequest', 'A withdrawal to quote.', {
  chainId,
  amount: described(amount, 'Amount to withdraw, in the smallest unit.'),
  asset,
  recipient: described(address, 'Recipient of the withdrawn amount, less the fee.'),
  extraGas: described(
    z.boolean().optional(),
    'Also give the recipient native coin for gas. Means nothing for the native asset.',
  ),
})

const gasCost = shape('GasCost', 'Gas, and what it costs.', {
  gas: described(digits, 'Units of gas that the transaction uses.'),
  eth: described(digits, 'Cost in wei of the native coin: gas · gasPrice.'),
})

export const feeCommitment = strictShape(
  'FeeCommitment',
  'The relayer’s promise until `expiration`; submit it unchanged.',
  {
    expiration: described(timestamp, 'Until when it is good, in milliseconds since the epoch.'),
    withdrawalData: described(
      bytes,
      'abi.encode(recipient, feeReceiver, feeBPS): use it as withdrawal.data.',
    ),
    asset,
    amount: described(amount, 'Smallest amount to withdraw, in the smallest unit.'),
    extraGas: described(z.boolean(), 'True when the recipient also gets native coin for gas.'),
    signedRelayerCommitment: described(bytes, 'EIP-712 signature of a RelayerCommitment.'),
  },
)

const quoteDetail = shape('RelayerQuoteDetail', 'Purpose of the gas.', {
  relayTxCost: described(gasCost, 'Gas of the relay transaction itself.'),
  extraGasFundAmount: described(
    gasCost.optional(),
    'Native coin that the recipient is given; absent without `extraGas`.',
  ),
  extraGasTxCost: described(
    gasCost.optional(),
    'Gas for giving it to the recipient; absent without `extraGas`.',
  ),
})

export const relayerQuote = shape('RelayerQuote', 'A fee, and the commitment to it.', {
  baseFeeBPS: described(digits, 'Base fee of the asset in basis points, before gas.'),
  feeBPS: described(digitsLike('25'), 'Base fee and gas, in basis points of the amount.'),
  gasPrice: described(digits, 'Gas price that the fee covers, in wei per gas.'),
  feeCommitment,
  detail: quoteDetail,
})

const point = z.array(decimal).length(3)

const withdrawal = strictShape(
  'Withdrawal',
  'The Withdrawal of the pool contracts: the data that the proof’s context binds.',
  {
    processooor: described(address, 'Address that may process the withdrawal: the Entrypoint.'),
    data: described(bytes, '`withdrawalData` of the fee commitment, byte for byte.'),
  },
)

const proof = strictShape('Groth16Proof', 'As snarkjs writes it: decimal strings.', {
  pi_a: described(point, 'Three decimal strings, the last is 1.'),
  pi_b: described(
    z.array(z.array(decimal).length(2)).length(3),
    'Three pairs of decimal strings, in the order of snarkjs.',
  ),
  pi_c: described(point, 'Three decimal strings, the last is 1.'),
  // Some clients leave out both.
  protocol: described(
    z.literal('groth16').default('groth16'),
    'Proof system: always `groth16`, also when left out.',
  ),
  curve: described(
    z.literal('bn128').default('bn128'),
    'Elliptic curve: always `bn128`, also when left out.',
  ),
})

export const requestBody = strictShape('RelayRequest', 'A withdrawal to relay.', {
  withdrawal,
  proof,
  publicSignals: described(
    z.array(decimal).length(8),
    'newCommitmentHash, existingNullifierHash, withdrawnValue, stateRoot, stateTreeDepth, ASPRoot, ASPTreeDepth, context.',
  ),
  scope: described(decimal, 'The pool: keccak256(pool, chainId, asset) mod Fr, in decimal digits.'),
  chainId,
  feeCommitment,
})

const requestId = described(z.string(), 'Id of the request, for `/relayer/request/{requestId}`.')

export const relayAnswer = shape('RelayAnswer', 'The state of a withdrawal.', {
  success: described(z.boolean(), 'False when the request was well formed and refused.'),
  timestamp: described(timestamp, 'When the relayer answered, in milliseconds since the epoch.'),
  requestId,
  txHash: described(
    hash.optional(),
    'Hash of the transaction that was sent; a fee bump may replace it. Absent when none was.',
  ),
  error: described(
    z.string().optional(),
    '`<CODE>: <message>`; the codes are listed in the introduction. Absent on success.',
  ),
})

export const requestPath = parameters({
  requestId: described(z.string().min(1).max(100), '`requestId` that the relay request answered.'),
})

const requestStatus = described(
  z.enum(['received', 'verified', 'simulated', 'broadcast', 'confirmed', 'failed']),
  'received → verified → simulated → broadcast → confirmed or failed.',
  { id: 'RelayerRequestState' },
)

export const requestProgress = shape('RelayerRequestStatus', 'How far a request has come.', {
  requestId,
  status: requestStatus,
  chainId,
  txHash: described(absentIfNull(hash), 'Hash of the newest transaction; absent until there is one.'),
  error: described(absentIfNull(z.string()), '`<CODE>: <message>` once failed; else absent.'),
  updatedAt: described(timestamp, 'When the status last changed, in milliseconds since the epoch.'),
})
