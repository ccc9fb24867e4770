import { concat, getAddress, slice, toFunctionSelector, zeroAddress, type Address, type Hex } from 'viem'
import type { ChainConfig } from '../../chain/nodes/config.ts'
import { tokenIdOf } from '../../market/tokens/token-id.ts'
import type { Tokens } from '../../market/tokens/tokens.ts'
import type { KnownCode, QuoteKind, MaxRequestBase, RequestBase, SignedQuote } from '../kinds/quote-kind.ts'

/** Calls of a token that run only its own code. */
const TOKEN_CALLS: ReadonlySet<Hex> = new Set(
  [
    'function approve(address, uint256)',
    'function transfer(address, uint256)',
    'function transferFrom(address, address, uint256)',
    'function deposit()',
    'function withdraw(uint256)',
  ].map((signature) => toFunctionSelector(signature)),
)

/** Returns the code that the operator of a chain knows: listed tokens, and contracts that the settings name. */
export function knownCodeOf(
  tokens: Pick<Tokens, 'isListed'>,
  { chainId, wrappedNative, relayer }: ChainConfig,
): KnownCode {
  const named = new Set<Address>(relayer?.knownContracts)
  const isToken = (token: Address) =>
    token === zeroAddress || token === wrappedNative || tokens.isListed(tokenIdOf(chainId, token))
  return {
    isToken,
    isCall({ to, data }) {
      const target = getAddress(to)
      if (named.has(target)) return true
      return (
        target !== zeroAddress && isToken(target) && data.length >= 10 && TOKEN_CALLS.has(slice(data, 0, 4))
      )
    },
  }
}

/**
 * Lists the strangers' contracts that a signed quote runs: its token, its recipient, and those that its kind names.
 * @param code Code of the recipient.
 */
export function listStrangers(
  kind: Pick<QuoteKind<RequestBase, MaxRequestBase>, 'strangersOf' | 'vouchesFor'>,
  quote: SignedQuote,
  { known, config, code }: { known: KnownCode; config: ChainConfig; code: Hex | null },
): Address[] {
  const { token, recipient } = quote
  const isCalled = code !== null && !isOwnCode(config, code) && !isNamed(config, recipient)
  const strangers = new Set([
    ...(known.isToken(token) ? [] : [token]),
    ...(isCalled && !known.isToken(recipient) ? [recipient] : []),
    ...kind.strangersOf(quote, known),
  ])
  for (const one of kind.vouchesFor(quote)) strangers.delete(one)
  return [...strangers]
}

/** True for the code of an address that delegates to the accounts' own contract. */
const isOwnCode = ({ sending }: ChainConfig, code: Hex) =>
  sending !== undefined && code.toLowerCase() === concat(['0xef0100', sending.accountProxy]).toLowerCase()

const named = new WeakMap<ChainConfig, ReadonlySet<Address>>()

/** True if the chain's settings name an address anywhere. */
function isNamed(config: ChainConfig, address: Address): boolean {
  let those = named.get(config)
  if (!those) named.set(config, (those = new Set(addressesIn(config))))
  return those.has(getAddress(address))
}

function addressesIn(value: unknown): Address[] {
  if (typeof value === 'string') return /^0x[0-9a-f]{40}$/i.test(value) ? [getAddress(value)] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(addressesIn) : []
}
