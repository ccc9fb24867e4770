import { isAddressEqual, slice, zeroAddress, type Address, type Hex } from 'viem'
import type { BridgedToken } from '../bridged-tokens.ts'
import type { SpokePoolDeposit } from './read-deposits.ts'

/** A filler's view of both chains. */
interface Ends {
  origin: { tokens: readonly BridgedToken[] }
  /** Undefined where it has no funds on the destination chain. */
  destination: { tokens: readonly BridgedToken[] } | undefined
}

const NO_MORE = `0x${'00'.repeat(12)}`

/** The address that 32 bytes of Across hold; null where they hold something longer, of another kind of chain. */
const addressOfWord = (word: Hex): Address | null => (slice(word, 0, 12) === NO_MORE ? slice(word, 12) : null)

const findToken = (tokens: readonly BridgedToken[], word: Hex) => {
  const address = addressOfWord(word)
  return address === null ? undefined : tokens.find(({ token }) => isAddressEqual(token, address))
}

/** Why an honest filler leaves a deposit alone for ever; null for one that it fills. Anybody may deposit anything. */
export function judgeDeposit(
  { relay }: Pick<SpokePoolDeposit, 'relay'>,
  { origin, destination }: Ends,
): string | null {
  if (!destination) return 'the destination chain is not served'
  const input = findToken(origin.tokens, relay.inputToken)
  const output = findToken(destination.tokens, relay.outputToken)
  if (!input || !output || input.asset !== output.asset) return 'these tokens are not carried'
  const given = relay.inputAmount * 10n ** BigInt(output.decimals)
  if (relay.outputAmount * 10n ** BigInt(input.decimals) > given) return 'it wants more than it gives'
  if (addressOfWord(relay.exclusiveRelayer) !== zeroAddress) return 'it names another filler'
  return null
}
