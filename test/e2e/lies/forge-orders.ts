import { encodeFunctionData, erc20Abi, maxUint256, parseAbi, zeroAddress, type Address, type Hex } from 'viem'
import type { Intent, Quote } from '../../../schema/client/quotes/send.ts'
import { lookAlike } from './walk-members.ts'
import { withCalls } from './walk-calls.ts'

const accountAbi = parseAbi([
  'struct Key { uint40 expiry; uint8 keyType; bool isSuperAdmin; bytes publicKey; }',
  'function authorize(Key key) returns (bytes32)',
])

/** The thief's own contract, and facts of the victim. */
export interface Thief {
  address: Address
  /** A contract of the thief's. */
  contract: Address
  /** Another address of the victim, with its nonce. */
  other: { address: Address; nonce: string }
  /** A token that the victim has. */
  token: Address
  /** The balance of the paying address. */
  balance: bigint
}

type Lie = (quote: Quote) => Quote

const withIntent =
  (change: (intent: Intent) => object): Lie =>
  (quote) => ({ ...quote, intents: quote.intents.map((intent) => ({ ...intent, ...change(intent) })) })

const anywhere = ({ name, version, verifyingContract }: Intent['domain']) => ({
  name,
  version,
  verifyingContract,
})

/** The attempts of a dishonest author of a service, with a quote of any kind. Each quote is consistent in itself. */
export function listForgeries(thief: Thief): Record<string, Lie> {
  const { address, contract, other, token, balance } = thief
  const transfer = (to: Address, amount: bigint) => ({
    to: token,
    value: 0n,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
  })
  const approve = {
    to: token,
    value: 0n,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [address, maxUint256] }),
  }
  const authorize = encodeFunctionData({
    abi: accountAbi,
    functionName: 'authorize',
    args: [{ expiry: 0, keyType: 2, isSuperAdmin: true, publicKey: address }],
  })
  const delegate =
    (change: object): Lie =>
    (quote) => {
      const [intent] = quote.intents
      const made = quote.delegations[0] ?? {
        chainId: Number(intent!.chainId),
        address: intent!.eoa,
        contractAddress: contract,
        derivationNonce: Number(intent!.derivationNonce),
        authorizationNonce: 1,
      }
      return { ...quote, delegations: [{ ...made, ...change }] }
    }
  const calling =
    (...calls: { to: Address; value: bigint; data: Hex }[]): Lie =>
    (quote) =>
      withCalls(quote, (all) => [...all, ...calls])
  const calledFirst =
    (...calls: { to: Address; value: bigint; data: Hex }[]): Lie =>
    (quote) =>
      withCalls(quote, (all) => [...calls, ...all])
  const sendingAway = (quote: Quote) => withCalls(quote, () => [transfer(address, balance)]).intents[0]!
  return {
    'delegates to a contract of the thief': delegate({ contractAddress: contract }),
    'delegates to a look-alike': (quote) =>
      delegate({ contractAddress: lookAlike(quote.delegations[0]?.contractAddress ?? contract) })(quote),
    'delegates on every chain': delegate({ chainId: 0, contractAddress: contract }),
    'delegates another address': delegate({
      address: other.address,
      derivationNonce: Number(other.nonce),
      contractAddress: contract,
    }),
    'delegates twice': (quote) => ({
      ...quote,
      delegations: [...delegate({})(quote).delegations, ...delegate({})(quote).delegations],
    }),
    'takes an orchestrator of the thief': withIntent(({ domain }) => ({
      domain: { ...domain, verifyingContract: contract },
    })),
    'takes a look-alike of the orchestrator': withIntent(({ domain }) => ({
      domain: { ...domain, verifyingContract: lookAlike(String(domain.verifyingContract)) },
    })),
    'takes a token for the orchestrator': withIntent(({ domain }) => ({
      domain: { ...domain, verifyingContract: token },
    })),
    'leaves the chain out of the domain': withIntent(({ domain }) => ({ domain: anywhere(domain) })),
    'has a domain with a salt': withIntent(({ domain }) => ({
      domain: { ...domain, salt: `0x${'00'.repeat(32)}` },
    })),
    'is for every chain': withIntent(({ nonce, domain }) => ({
      domain: anywhere(domain),
      nonce: String((0xc1d0n << 240n) | (BigInt(String(nonce)) & (2n ** 240n - 1n))),
    })),
    'has the nonce of every chain': withIntent(({ nonce }) => ({
      nonce: String((0xc1d0n << 240n) | (BigInt(String(nonce)) & (2n ** 240n - 1n))),
    })),
    'never expires': withIntent(() => ({ expiry: '0' })),
    'expires in two hours': withIntent(() => ({ expiry: String(Math.floor(Date.now() / 1_000) + 7_200) })),
    'expires in ten years': withIntent(({ expiry }) => ({ expiry: String(BigInt(expiry) + 315_360_000n) })),
    'expires when the numbers end': withIntent(() => ({ expiry: String(maxUint256) })),
    'pays whoever carries it': withIntent(() => ({
      paymentMaxAmount: String(balance),
      paymentAmount: String(balance),
      paymentRecipient: address,
    })),
    'lets the thief pay': withIntent(() => ({ payer: address })),
    'settles at the thief': withIntent(() => ({ settler: contract, settlerContext: '0x01' })),
    'has a call before it': withIntent(() => ({ encodedPreCalls: [authorize] })),
    'moves funds before it': withIntent(() => ({ encodedFundTransfers: [approve.data] })),
    'has other types': withIntent(({ types }) => ({
      types: { ...types, Intent: [...types.Intent].toReversed() },
    })),
    'has types with another member': withIntent(({ types }) => ({
      types: { ...types, Intent: [...types.Intent, { name: 'memo', type: 'string' }] },
      memo: 'x',
    })),
    'is a permit': withIntent(() => ({ primaryType: 'Permit' })),
    'approves the thief behind it': calling(approve),
    'approves the thief before it': calledFirst(approve),
    'sends a token to the thief behind it': calling(transfer(address, balance)),
    'sends a token to the thief before it': calledFirst(transfer(address, 1n)),
    'sends coin to the thief': calledFirst({ to: address, value: 1n, data: '0x' }),
    'gives a key to the thief by the zero address': calledFirst({
      to: zeroAddress,
      value: 0n,
      data: authorize,
    }),
    'gives a key to the thief by its own address': (quote) =>
      calledFirst({ to: quote.intents[0]!.eoa, value: 0n, data: authorize })(quote),
    'calls a contract of the thief': calling({ to: contract, value: 0n, data: '0x12345678' }),
    'has a second intent of the same address': (quote) => ({
      ...quote,
      intents: [...quote.intents, { ...sendingAway(quote), nonce: '18446744073709551616' }],
    }),
    'has two intents with one nonce': (quote) => ({
      ...quote,
      intents: [...quote.intents, sendingAway(quote)],
    }),
    'has an intent of another address': (quote) => ({
      ...quote,
      intents: [
        ...quote.intents,
        {
          ...sendingAway(quote),
          eoa: other.address,
          derivationNonce: other.nonce,
          nonce: '18446744073709551616',
        },
      ],
    }),
    'has an intent of another address, and says so': (quote) => ({
      ...quote,
      intents: [
        ...quote.intents,
        {
          ...quote.intents[0]!,
          eoa: other.address,
          derivationNonce: other.nonce,
          nonce: '18446744073709551616',
        },
      ],
      fundingCaveats: [{ kind: 'addresses_joined', addressCount: 2 }],
    }),
    'has nothing signed': (quote) => ({ ...quote, intents: [], delegations: [] }),
    'hides bytes in the calls': withIntent(({ executionData }) => ({ executionData: `${executionData}00` })),
  }
}

/** A higher fee, in the last call and in every member of the quote about it. */
export const withFee =
  (more: bigint): Lie =>
  (quote) => {
    const lie = withCalls(quote, (calls) =>
      calls.map((call, place) => (place === calls.length - 1 ? dearer(call, more) : call)),
    )
    const add = (amount: string) => String(BigInt(amount) + more)
    const { fees } = quote
    return {
      ...lie,
      amountIn: add(quote.amountIn),
      fees: { ...fees, network: add(fees.network), total: add(fees.total) },
    }
  }

function dearer(call: { to: Address; value: bigint; data: Hex }, more: bigint) {
  if (call.data === '0x') return { ...call, value: call.value + more }
  const amount = BigInt(`0x${call.data.slice(-64)}`) + more
  return { ...call, data: `${call.data.slice(0, -64)}${amount.toString(16).padStart(64, '0')}` as Hex }
}
