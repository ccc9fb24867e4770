// SPDX-License-Identifier: MIT
// ABIs as data: to parse their readable form would cost each wallet a parser. The comments have that form.

/**
 * A token (ERC-20): the functions of payments.
 *
 *     function approve(address spender, uint256 amount)
 *     function transfer(address to, uint256 amount)
 */
export const tokenAbi = [
  {
    name: 'approve',
    type: 'function',
    stateMutability: 'nonpayable',
    inputs: [
      { type: 'address', name: 'spender' },
      { type: 'uint256', name: 'amount' },
    ],
    outputs: [],
  },
  {
    name: 'transfer',
    type: 'function',
    stateMutability: 'nonpayable',
    inputs: [
      { type: 'address', name: 'to' },
      { type: 'uint256', name: 'amount' },
    ],
    outputs: [],
  },
] as const

/**
 * The wrapped native coin.
 *
 *     function deposit() payable
 *     function withdraw(uint256 amount)
 */
export const wrappedAbi = [
  { name: 'deposit', type: 'function', stateMutability: 'payable', inputs: [], outputs: [] },
  {
    name: 'withdraw',
    type: 'function',
    stateMutability: 'nonpayable',
    inputs: [{ type: 'uint256', name: 'amount' }],
    outputs: [],
  },
] as const

/**
 * The functions of SwapRouter02 that swaps need.
 *
 *     struct ExactInput { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }
 *     function multicall(uint256 deadline, bytes[] data) payable
 *     function exactInput(ExactInput params) payable
 *     function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to) payable
 *     function unwrapWETH9(uint256 amountMinimum, address recipient) payable
 *     function refundETH() payable
 *     function sweepToken(address token, uint256 amountMinimum) payable
 */
export const routerAbi = [
  {
    name: 'multicall',
    type: 'function',
    stateMutability: 'payable',
    inputs: [
      { type: 'uint256', name: 'deadline' },
      { type: 'bytes[]', name: 'data' },
    ],
    outputs: [],
  },
  {
    name: 'exactInput',
    type: 'function',
    stateMutability: 'payable',
    inputs: [
      {
        type: 'tuple',
        name: 'params',
        components: [
          { type: 'bytes', name: 'path' },
          { type: 'address', name: 'recipient' },
          { type: 'uint256', name: 'amountIn' },
          { type: 'uint256', name: 'amountOutMinimum' },
        ],
      },
    ],
    outputs: [],
  },
  {
    name: 'swapExactTokensForTokens',
    type: 'function',
    stateMutability: 'payable',
    inputs: [
      { type: 'uint256', name: 'amountIn' },
      { type: 'uint256', name: 'amountOutMin' },
      { type: 'address[]', name: 'path' },
      { type: 'address', name: 'to' },
    ],
    outputs: [],
  },
  {
    name: 'unwrapWETH9',
    type: 'function',
    stateMutability: 'payable',
    inputs: [
      { type: 'uint256', name: 'amountMinimum' },
      { type: 'address', name: 'recipient' },
    ],
    outputs: [],
  },
  { name: 'refundETH', type: 'function', stateMutability: 'payable', inputs: [], outputs: [] },
  {
    name: 'sweepToken',
    type: 'function',
    stateMutability: 'payable',
    inputs: [
      { type: 'address', name: 'token' },
      { type: 'uint256', name: 'amountMinimum' },
    ],
    outputs: [],
  },
] as const

/**
 * The function of an Across SpokePool that deposits need; addresses of any chain have 32 bytes.
 *
 *     function deposit(bytes32 depositor, bytes32 recipient, bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId, bytes32 exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityParameter, bytes message) payable
 */
export const spokePoolAbi = [
  {
    name: 'deposit',
    type: 'function',
    stateMutability: 'payable',
    inputs: [
      { type: 'bytes32', name: 'depositor' },
      { type: 'bytes32', name: 'recipient' },
      { type: 'bytes32', name: 'inputToken' },
      { type: 'bytes32', name: 'outputToken' },
      { type: 'uint256', name: 'inputAmount' },
      { type: 'uint256', name: 'outputAmount' },
      { type: 'uint256', name: 'destinationChainId' },
      { type: 'bytes32', name: 'exclusiveRelayer' },
      { type: 'uint32', name: 'quoteTimestamp' },
      { type: 'uint32', name: 'fillDeadline' },
      { type: 'uint32', name: 'exclusivityParameter' },
      { type: 'bytes', name: 'message' },
    ],
    outputs: [],
  },
] as const

/**
 * The functions of the escrow of Peer that a seller needs.
 *
 *     struct Range { uint256 min; uint256 max; }
 *     struct OracleRateConfig { address adapter; bytes adapterConfig; int16 spreadBps; uint32 maxStaleness; }
 *     struct Currency { bytes32 code; uint256 minConversionRate; OracleRateConfig oracleRateConfig; }
 *     struct PaymentMethodData { address intentGatingService; bytes32 payeeDetails; bytes data; }
 *     struct Params { address token; uint256 amount; Range intentAmountRange; bytes32[] paymentMethods; PaymentMethodData[] paymentMethodData; Currency[][] currencies; address delegate; address intentGuardian; bool retainOnEmpty; }
 *     function createDeposit(Params params)
 *     function depositTo(address depositor, Params params)
 *     function removeFunds(uint256 depositId, uint256 amount)
 *     function withdrawDeposit(uint256 depositId)
 */
export const escrowAbi = [
  {
    name: 'createDeposit',
    type: 'function',
    stateMutability: 'nonpayable',
    inputs: [
      {
        type: 'tuple',
        name: 'params',
        components: [
          { type: 'address', name: 'token' },
          { type: 'uint256', name: 'amount' },
          {
            type: 'tuple',
            name: 'intentAmountRange',
            components: [
              { type: 'uint256', name: 'min' },
              { type: 'uint256', name: 'max' },
            ],
          },
          { type: 'bytes32[]', name: 'paymentMethods' },
          {
            type: 'tuple[]',
            name: 'paymentMethodData',
            components: [
              { type: 'address', name: 'intentGatingService' },
              { type: 'bytes32', name: 'payeeDetails' },
              { type: 'bytes', name: 'data' },
            ],
          },
          {
            type: 'tuple[][]',
            name: 'currencies',
            components: [
              { type: 'bytes32', name: 'code' },
              { type: 'uint256', name: 'minConversionRate' },
              {
                type: 'tuple',
                name: 'oracleRateConfig',
                components: [
                  { type: 'address', name: 'adapter' },
                  { type: 'bytes', name: 'adapterConfig' },
                  { type: 'int16', name: 'spreadBps' },
                  { type: 'uint32', name: 'maxStaleness' },
                ],
              },
            ],
          },
          { type: 'address', name: 'delegate' },
          { type: 'address', name: 'intentGuardian' },
          { type: 'bool', name: 'retainOnEmpty' },
        ],
      },
    ],
    outputs: [],
  },
  {
    name: 'depositTo',
    type: 'function',
    stateMutability: 'nonpayable',
    inputs: [
      { type: 'address', name: 'depositor' },
      {
        type: 'tuple',
        name: 'params',
        components: [
          { type: 'address', name: 'token' },
          { type: 'uint256', name: 'amount' },
          {
            type: 'tuple',
            name: 'intentAmountRange',
            components: [
              { type: 'uint256', name: 'min' },
              { type: 'uint256', name: 'max' },
            ],
          },
          { type: 'bytes32[]', name: 'paymentMethods' },
          {
            type: 'tuple[]',
            name: 'paymentMethodData',
            components: [
              { type: 'address', name: 'intentGatingService' },
              { type: 'bytes32', name: 'payeeDetails' },
              { type: 'bytes', name: 'data' },
            ],
          },
          {
            type: 'tuple[][]',
            name: 'currencies',
            components: [
              { type: 'bytes32', name: 'code' },
              { type: 'uint256', name: 'minConversionRate' },
              {
                type: 'tuple',
                name: 'oracleRateConfig',
                components: [
                  { type: 'address', name: 'adapter' },
                  { type: 'bytes', name: 'adapterConfig' },
                  { type: 'int16', name: 'spreadBps' },
                  { type: 'uint32', name: 'maxStaleness' },
                ],
              },
            ],
          },
          { type: 'address', name: 'delegate' },
          { type: 'address', name: 'intentGuardian' },
          { type: 'bool', name: 'retainOnEmpty' },
        ],
      },
    ],
    outputs: [],
  },
  {
    name: 'removeFunds',
    type: 'function',
    stateMutability: 'nonpayable',
    inputs: [
      { type: 'uint256', name: 'depositId' },
      { type: 'uint256', name: 'amount' },
    ],
    outputs: [],
  },
  {
    name: 'withdrawDeposit',
    type: 'function',
    stateMutability: 'nonpayable',
    inputs: [{ type: 'uint256', name: 'depositId' }],
    outputs: [],
  },
] as const

/**
 * The transfer of a collectible (ERC-721).
 *
 *     function safeTransferFrom(address from, address to, uint256 tokenId)
 */
export const collectibleAbi = [
  {
    name: 'safeTransferFrom',
    type: 'function',
    stateMutability: 'nonpayable',
    inputs: [
      { type: 'address', name: 'from' },
      { type: 'address', name: 'to' },
      { type: 'uint256', name: 'tokenId' },
    ],
    outputs: [],
  },
] as const

/**
 * The deposit of native coin with an Entrypoint of Privacy Pools v1.
 *
 *     function deposit(uint256 precommitment)
 */
export const coinDepositAbi = [
  {
    name: 'deposit',
    type: 'function',
    stateMutability: 'nonpayable',
    inputs: [{ type: 'uint256', name: 'precommitment' }],
    outputs: [],
  },
] as const

/**
 * The deposit of a token with an Entrypoint of Privacy Pools v1.
 *
 *     function deposit(address asset, uint256 amount, uint256 precommitment)
 */
export const tokenDepositAbi = [
  {
    name: 'deposit',
    type: 'function',
    stateMutability: 'nonpayable',
    inputs: [
      { type: 'address', name: 'asset' },
      { type: 'uint256', name: 'amount' },
      { type: 'uint256', name: 'precommitment' },
    ],
    outputs: [],
  },
] as const

/**
 * A depositor's public recovery of a note: pubSignals are commitment, nullifierHash, value and label.
 *
 *     struct RagequitProof { uint256[2] pA; uint256[2][2] pB; uint256[2] pC; uint256[4] pubSignals; }
 *     function ragequit(RagequitProof _proof)
 */
export const ragequitAbi = [
  {
    name: 'ragequit',
    type: 'function',
    stateMutability: 'nonpayable',
    inputs: [
      {
        type: 'tuple',
        name: '_proof',
        components: [
          { type: 'uint256[2]', name: 'pA' },
          { type: 'uint256[2][2]', name: 'pB' },
          { type: 'uint256[2]', name: 'pC' },
          { type: 'uint256[4]', name: 'pubSignals' },
        ],
      },
    ],
    outputs: [],
  },
] as const

/**
 * The functions of an Entrypoint that a wallet reads.
 *
 *     function assetConfig(address asset) view returns (address pool, uint256 minimumDepositAmount, uint256 vettingFeeBPS, uint256 maxRelayFeeBPS)
 *     function latestRoot() view returns (uint256)
 */
export const entrypointAbi = [
  {
    name: 'assetConfig',
    type: 'function',
    stateMutability: 'view',
    inputs: [{ type: 'address', name: 'asset' }],
    outputs: [
      { type: 'address', name: 'pool' },
      { type: 'uint256', name: 'minimumDepositAmount' },
      { type: 'uint256', name: 'vettingFeeBPS' },
      { type: 'uint256', name: 'maxRelayFeeBPS' },
    ],
  },
  {
    name: 'latestRoot',
    type: 'function',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ type: 'uint256' }],
  },
] as const

/**
 * The functions of a pool that a wallet reads.
 *
 *     function SCOPE() view returns (uint256)
 *     function currentRoot() view returns (uint256)
 *     function roots(uint256 index) view returns (uint256)
 */
export const poolAbi = [
  { name: 'SCOPE', type: 'function', stateMutability: 'view', inputs: [], outputs: [{ type: 'uint256' }] },
  {
    name: 'currentRoot',
    type: 'function',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ type: 'uint256' }],
  },
  {
    name: 'roots',
    type: 'function',
    stateMutability: 'view',
    inputs: [{ type: 'uint256', name: 'index' }],
    outputs: [{ type: 'uint256' }],
  },
] as const

/**
 * The events of a pool by which a wallet finds its notes without the service.
 *
 *     event Deposited(address indexed _depositor, uint256 _commitment, uint256 _label, uint256 _value, uint256 _precommitmentHash)
 *     event Withdrawn(address indexed _processooor, uint256 _value, uint256 _spentNullifier, uint256 _newCommitment)
 *     event Ragequit(address indexed _ragequitter, uint256 _commitment, uint256 _label, uint256 _value)
 */
export const poolEventsAbi = [
  {
    name: 'Deposited',
    type: 'event',
    inputs: [
      { type: 'address', name: '_depositor', indexed: true },
      { type: 'uint256', name: '_commitment' },
      { type: 'uint256', name: '_label' },
      { type: 'uint256', name: '_value' },
      { type: 'uint256', name: '_precommitmentHash' },
    ],
  },
  {
    name: 'Withdrawn',
    type: 'event',
    inputs: [
      { type: 'address', name: '_processooor', indexed: true },
      { type: 'uint256', name: '_value' },
      { type: 'uint256', name: '_spentNullifier' },
      { type: 'uint256', name: '_newCommitment' },
    ],
  },
  {
    name: 'Ragequit',
    type: 'event',
    inputs: [
      { type: 'address', name: '_ragequitter', indexed: true },
      { type: 'uint256', name: '_commitment' },
      { type: 'uint256', name: '_label' },
      { type: 'uint256', name: '_value' },
    ],
  },
] as const

/**
 * A MulticallHandler's calls with the output of a fill; if one fails, the fallback recipient gets the output unchanged.
 *
 *     ((address target, bytes callData, uint256 value)[] calls, address fallbackRecipient)
 */
export const messageParameters = [
  {
    type: 'tuple',
    components: [
      {
        type: 'tuple[]',
        name: 'calls',
        components: [
          { type: 'address', name: 'target' },
          { type: 'bytes', name: 'callData' },
          { type: 'uint256', name: 'value' },
        ],
      },
      { type: 'address', name: 'fallbackRecipient' },
    ],
  },
] as const
