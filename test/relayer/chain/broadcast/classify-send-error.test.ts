import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createPublicClient, http } from 'viem'
import { expect, test } from 'vitest'
import {
  classifyMessage,
  classifySendError,
  type SendRefusal,
} from '../../../../relayer/chain/broadcast/classify-send-error.ts'
import { findMinimum } from '../../../../relayer/chain/broadcast/compute-fees.ts'
import { findFreePort } from '../../../harness/find-free-port.ts'

/** Real messages by their meaning and their origin: the client or proxy, and the file or issue that contains them. */
const MESSAGES: Record<SendRefusal, Record<string, readonly string[]>> = {
  known: {
    'geth core/txpool/errors.go; also infura, alchemy': ['already known', 'ALREADY_EXISTS: already known'],
    'nethermind AcceptTxResult.cs, NethermindEth/nethermind#12153': ['AlreadyKnown'],
    'erigon txpoolcfg.go': ['already known', 'existing txn with same hash', 'existing tx with same hash'],
    'besu RpcErrorType.java': ['Known transaction'],
    'openethereum helpers/errors.rs': ['Transaction with the same hash was already imported.'],
    anvil: ['transaction already imported'],
    'cosmos-sdk types/errors, berachain/polaris#351': ['tx already in mempool'],
    'ethermint / cometbft': ['tx already exists in cache'],
    'zksync, in chainlink client/errors.go': [
      'known transaction. transaction with hash 0x12 is already in the system',
    ],
  },
  'nonce-taken': {
    'geth core/error.go': ['nonce too low', 'nonce too low: next nonce 5, tx nonce 4'],
    'infura before erigon nodes': ['INTERNAL_ERROR: nonce too low'],
    'nethermind AcceptTxResult.cs': ['OldNonce', 'OldNonce, Current nonce: 5, nonce of rejected tx: 4'],
    'erigon txpoolcfg.go': ['nonce too low', 'mined'],
    'besu RpcErrorType.java': ['Nonce too low'],
    openethereum: ['Transaction nonce is too low. Try incrementing the nonce.'],
    'arbitrum, in chainlink client/errors.go': ['invalid transaction nonce'],
    'avalanche, in chainlink client/errors.go': [
      'nonce too low: address 0x12 current nonce (5) > tx nonce (4)',
    ],
    zksync: ['nonce too low. allowed nonce range: 5 - 25, actual: 4'],
    'a proxy that quotes its node': ['all upstreams exhausted: nonce too low'],
  },
  outbid: {
    'geth core/txpool/errors.go': ['replacement transaction underpriced'],
    'reth rpc-eth-types/src/error/mod.rs': ['replacement transaction underpriced'],
    'nethermind AcceptTxResult.cs': ['ReplacementNotAllowed', 'PendingTxsOfConflictingType'],
    'erigon txpoolcfg.go': [
      'could not replace existing tx',
      'INTERNAL_ERROR: could not replace existing tx',
      'replaced by transaction with higher tip',
      "can't replace blob-txn with a non-blob-txn",
    ],
    'besu RpcErrorType.java': ['Replacement transaction underpriced'],
    openethereum: ['There is another transaction with same nonce in the queue'],
    klaytn: ['there is another tx which has the same nonce in the tx pool'],
  },
  market: {
    geth: ['max fee per gas less than block base fee: address 0x, maxFeePerGas: 1, baseFee: 2'],
    'zksync and arbitrum, in chainlink client/errors.go': ['max fee per gas less than block base fee'],
    'astar, in chainlink client/errors_test.go': ['gas price less than block base fee'],
    'nethermind TxPool filters': [
      'FeeTooLow, MaxFeePerGas too low. MaxFeePerGas: 50, BaseFee: 100, MaxPriorityFeePerGas:200, Block number: 5',
      'FeeTooLowToCompete',
    ],
    'besu RpcErrorType.java': ['Gas price below current base fee'],
  },
  'below-minimum': {
    'geth, bor and bsc core/txpool/validation.go': [
      'transaction gas price below minimum: gas tip cap 1500000000, minimum needed 25000000000',
      'transaction underpriced: gas tip cap 100000000, minimum needed 1000000000',
      'transaction gas price below minimum',
    ],
    'geth before 1.14, bnb-chain/bsc#2387': [
      'transaction underpriced: tip needed 3000000000, tip permitted 1000000000',
      'transaction underpriced',
    ],
    'coreth, ava-labs/coreth#382': [
      'transaction underpriced: address 0x12 have gas tip cap (225000000000) < pool gas tip cap (470000000000)',
    ],
    'reth rpc-eth-types/src/error/mod.rs; ronin': [
      'transaction priority fee below minimum required priority fee 20000000000',
    ],
    'nethermind TxPool filters, MinGasPriceTxFilter.cs': [
      'FeeTooLow',
      'FeeTooLow, EffectivePriorityFeePerGas too low 586749412 < 1000000000, BaseFee: 7',
      'FeeTooLow, FeePerGas needs to be higher than 100 to be added to the TxPool. Affordable FeePerGas of rejected tx: 50.',
    ],
    'erigon txpoolcfg.go': ['underpriced', 'fee too low'],
    'besu RpcErrorType.java': ['Gas price below configured minimum gas price'],
    'openethereum helpers/errors.rs': [
      "Transaction gas price is too low. It does not satisfy your node's minimal gas price (minimal: 100 got: 50). Try increasing the gas price.",
    ],
    'arbitrum, in chainlink client/errors.go': ['gas price too low'],
    'zksync, in chainlink client/errors.go': [
      'virtual machine entered unexpected state. please contact developers and provide transaction details that caused this error. Error description: The operator included transaction with an unacceptable gas price',
    ],
    'celo, in chainlink client/errors.go': ['gasprice is less than gas price minimum floor'],
    'metis, in chainlink client/errors.go': [
      'gas price too low: 18000000000 wei, use at least tx.gasPrice = 19500000000 wei',
    ],
    'hedera, in chainlink client/errors_test.go': [
      "[Request ID: e4d09e44] Gas price '830000000000' is below configured minimum gas price '950000000000'",
    ],
    'evmos ante/evm': ['effective gas price below minimum global gas price (10aevmos < 20aevmos)'],
    'reported of wallets and bundlers, without a client': [
      'Max priority fee per gas is less than the minimum',
      'max fee per gas is lower than the minimum base fee',
      'max priority fee per gas below minimum',
    ],
  },
  funds: {
    geth: [
      'insufficient funds for gas * price + value: balance 0, tx cost 21000, overshot 21000',
      'insufficient funds for transfer',
      'transaction would cause overdraft',
    ],
    reth: ['insufficient funds for gas * price + value: have 0 want 21000'],
    anvil: ['Insufficient funds for gas * price + value'],
    nethermind: ['InsufficientFunds, Account balance: 0, cumulative cost: 21000'],
    erigon: ['insufficient funds'],
    besu: ['Upfront cost exceeds account balance'],
    arbitrum: ['not enough funds for gas'],
    zksync: ['insufficient balance for transfer'],
  },
  busy: {
    'geth core/txpool/errors.go': [
      'txpool is full',
      'account limit exceeded',
      'future transaction tries to replace pending',
      'address already reserved',
      'in-flight transaction limit reached for delegated accounts',
      'gapped-nonce tx from delegated accounts',
    ],
    'geth core/error.go': ['nonce too high'],
    nethermind: ['NonceGap, Future nonce. Expected nonce: 5', 'NonceTooFarInFuture'],
    'erigon txpoolcfg.go': [
      'pending sub-pool is full',
      'queued sub-pool is full',
      'EIP-7702 transaction with authority already reserved',
      'spammer',
    ],
    'besu RpcErrorType.java': [
      'Nonce too high',
      'Transaction nonce is too distant from current sender nonce',
      'An invalid transaction with a lower nonce exists',
    ],
    arbitrum: [
      'nonce too high: address 0x12, tx: 5 state: 3',
      'sequencer pending tx pool full, please try again',
      'queue full',
    ],
    openethereum: ['There are too many transactions in the queue. Your transaction was dropped.'],
    'cosmos-sdk': ['mempool is full'],
  },
  invalid: {
    geth: [
      'intrinsic gas too low: gas 20000, minimum needed 21000',
      'insufficient gas for floor data gas cost: gas 21000, minimum needed 31000',
      'exceeds block gas limit',
      'transaction gas limit too high (cap: 16777216, tx: 30000000)',
      'max priority fee per gas higher than max fee per gas',
      'max fee per gas higher than 2^256-1',
      'transaction type not supported',
      'invalid chain id for signer: have 5 want 1',
      'rlp: expected input list for types.LegacyTx',
      'typed transaction too short',
      'oversized data: transaction size 200000, limit 131072',
      'tx fee (1.20 ether) exceeds the configured cap (1.00 ether)',
      'only replay-protected (EIP-155) transactions allowed over RPC',
      'max initcode size exceeded: code size 50000, limit 49152',
      'sender not an eoa: address 0x12, len(code): 4',
      'nonce has max value',
      'invalid sender',
      'gas uint64 overflow',
    ],
    'reth rpc-eth-types/src/error/mod.rs': [
      'intrinsic gas too high',
      'gas limit too high',
      'exceeds max transaction gas limit',
      'sender is not an EOA',
      'invalid chain ID',
      'failed to decode signed transaction',
      'EIP-7702 authorization list has invalid fields',
    ],
    anvil: [
      'intrinsic gas too low',
      'intrinsic gas too high -- tx.gas_limit > env.block.gas_limit',
      'Failed to decode transaction',
    ],
    nethermind: [
      'GasLimitExceeded, Gas limit: 1, gas limit of rejected tx: 2',
      'FailedToResolveSender',
      'SenderIsContract',
      'Int256Overflow',
    ],
    'erigon txpoolcfg.go': [
      'IntrinsicGas',
      'RLPTooLong',
      'GasUintOverflow',
      'initcode too large',
      'gas limit is too high',
      'fork supporting this transaction type is not activated yet',
      'EIP-7702 transactions with an empty authorization list are invalid',
    ],
    'besu RpcErrorType.java': [
      'Intrinsic gas exceeds gas limit',
      'Transaction gas limit exceeds block gas limit',
      'Max priority fee per gas exceeds max fee per gas',
      'Transaction fee cap exceeded',
      'Invalid signature',
      'Invalid transaction type',
      'Wrong chainId',
      'ChainId not supported',
      'Plugin has marked the transaction as invalid',
    ],
    openethereum: ['Transaction cost exceeds current gas limit. Limit: 5, got: 6', 'Invalid RLP data'],
    arbitrum: ['forbidden sender address'],
  },
  complaint: {
    'geth, infura: -32601': ['the method eth_sendRawTransaction does not exist/is not available'],
    'besu RpcErrorType.java': [
      'Method not found',
      'Method not enabled',
      'Initial sync is still in progress',
      'Transaction pool not enabled. (Either txpool explicitly disabled, or node not yet in sync).',
    ],
    'alchemy; aurora-is-near/partner-relayer-deploy#46': ['Unsupported method: eth_sendRawTransaction'],
    'several: seen behind balancers': ['method not supported', 'could not decode upstream response'],
    'drpc, drpcorg/nodecore#159': [
      'method is not available on freetier, please upgrade to paid tier',
      "Can't route your request to suitable provider, if you specified certain providers revise the list",
    ],
    'providers, as erpc error_normalizer.go lists them': [
      'You have reached the free tier limit',
      'eth_sendRawTransaction is not included in your current plan',
      'Monthly capacity limit exceeded',
    ],
    'alchemy: 429': ['Your app has exceeded its compute units per second capacity'],
    'infura: -32005': [
      'daily request count exceeded, request rate limited',
      'project ID request rate exceeded',
    ],
    'op-stack proxyd/backend.go': [
      'rpc method is not whitelisted',
      'backend offline',
      'no backend is currently healthy to serve traffic',
      'backend is over capacity',
      'backend returned an invalid response',
      'too many RPC calls in batch request',
      'gateway timeout',
      'over rate limit',
      'sender is over rate limit',
      'request body too large',
    ],
    'op-geth, nitro: before the sequencer': [
      'failed to forward tx to sequencer, please try again',
      'sequencer temporarily not available',
    ],
    'arbitrum, in chainlink client/errors.go': ['network is unreachable', 'read tcp: i/o timeout'],
  },
  unknown: {
    'no message of a pool': ['execution reverted', 'Internal error', 'Unknown transaction', ''],
  },
}

test.each(
  Object.entries(MESSAGES).flatMap(([refusal, all]) =>
    Object.entries(all).map(([source, messages]) => ({ refusal, source, messages })),
  ),
)('$refusal, as said by $source', ({ refusal, messages }) => {
  expect(messages.map((message) => [message, classifyMessage(message)])).toEqual(
    messages.map((message) => [message, refusal]),
  )
})

test.each([
  [
    'transaction gas price below minimum: gas tip cap 1500000000, minimum needed 25000000000',
    'tip',
    25_000_000_000n,
  ],
  ['transaction underpriced: tip needed 3000000000, tip permitted 1000000000', 'tip', 3_000_000_000n],
  ['address 0x12 have gas tip cap (225000000000) < pool gas tip cap (470000000000)', 'tip', 470_000_000_000n],
  ['transaction priority fee below minimum required priority fee 20000000000', 'tip', 20_000_000_000n],
  ['FeeTooLow, EffectivePriorityFeePerGas too low 10 < 20, BaseFee: 30', 'tip', 20n],
  ['FeeTooLow, FeePerGas needs to be higher than 100 to be added to the TxPool.', 'price', 101n],
  ["It does not satisfy your node's minimal gas price (minimal: 100 got: 50).", 'price', 100n],
  ['gas price too low: 18 wei, use at least tx.gasPrice = 19 wei', 'price', 19n],
  ["Gas price '83' is below configured minimum gas price '95'", 'price', 95n],
  ['effective gas price below minimum global gas price (10aevmos < 20aevmos)', 'price', 21n],
] as const)('the minimum is read out of "%s"', (message, of, wei) => {
  expect(findMinimum(message)).toEqual({ of, wei })
})

test('a refusal without a minimum states none', () => {
  for (const message of [
    'transaction underpriced',
    'FeeTooLow',
    'Max priority fee per gas is less than the minimum',
  ])
    expect(findMinimum(message)).toBeNull()
})

async function sendTo(url: string, timeout = 2_000) {
  const client = createPublicClient({ transport: http(url, { retryCount: 0, timeout }) })
  return client.sendRawTransaction({ serializedTransaction: '0x00' }).then(() => null, classifySendError)
}

async function sendToServer(answer: string | null, status = 200) {
  const server = createServer((_request, response) => {
    if (answer === null) return
    response.writeHead(status, { 'content-type': 'application/json' }).end(answer)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    return await sendTo(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      answer === null ? 200 : 10_000,
    )
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const refusal = (code: number, message: string) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message } })

test('an error answer is a refusal, whatever its code', async () => {
  for (const code of [-32_000, -32_003, -32_603, -32_010])
    expect(await sendToServer(refusal(code, 'nonce too low'))).toMatchObject({
      status: 'refused',
      refusal: 'nonce-taken',
    })
  expect(await sendToServer(refusal(-32_000, 'already known'))).toEqual({ status: 'accepted' })
  expect(await sendToServer(refusal(-32_000, 'what is this'))).toMatchObject({ refusal: 'unknown' })
})

test('an error of a proxy says nothing about the transaction', async () => {
  expect(await sendToServer('bad gateway', 502)).toMatchObject({ status: 'unclear' })
  expect(await sendToServer(refusal(-32_005, 'rate limit'))).toMatchObject({ status: 'unclear' })
  expect(await sendToServer(refusal(-32_603, 'Internal error'))).toMatchObject({ status: 'unclear' })
})

test("a transport's code counts more than its message, and a known message more than an unspecific code", async () => {
  expect(await sendToServer(refusal(-32_601, 'transaction type not supported'))).toMatchObject({
    status: 'unclear',
  })
  // besu answers that the gas limit is too high with the code of a rate limit.
  expect(await sendToServer(refusal(-32_005, 'Transaction gas limit exceeds block gas limit'))).toMatchObject(
    { status: 'refused', refusal: 'invalid' },
  )
})

test('after a timeout the transaction may have arrived, after a refused connection not', async () => {
  expect(await sendToServer(null)).toMatchObject({ status: 'unclear' })
  expect(await sendTo(`http://127.0.0.1:${await findFreePort()}`)).toMatchObject({ status: 'unreachable' })
})
