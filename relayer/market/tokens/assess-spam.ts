import { foldConfusables, mixesScripts } from './fold-confusables.ts'
import type { TokenId } from './token-id.ts'

/**
 * Reasons why a token counts as spam or phishing.
 * - `imitation`: it looks like a listed token of its chain, or a well-known one of any chain, and is another
 *   contract. Equal symbols alone are accepted if a provider knows the token.
 * - `link`: a web address in its name or symbol.
 * - `lure`: words that ask people to go somewhere.
 * - `hidden-characters`: invisible or direction-changing characters.
 * - `mixed-scripts`: Latin beside Cyrillic or Greek letters in one word.
 * - `no-name`: its texts are empty after sanitising.
 * - `no-supply`: the contract reports a supply of zero.
 */
export type SpamReason =
  | 'imitation'
  | 'link'
  | 'lure'
  | 'hidden-characters'
  | 'mixed-scripts'
  | 'no-name'
  | 'no-supply'

/** The assessed token: sanitised texts. */
export interface Suspect extends TokenId {
  symbol: string
  name: string
  /** True if sanitising removed invisible characters. */
  wasHidden: boolean
  /** Smallest units; null if the contract does not report it. */
  totalSupply: bigint | null
  isKnownToProvider: boolean
}

/** The tokens that others imitate. */
export interface Originals {
  /** True if another listed token of this chain has this skeleton as its symbol. */
  hasSymbol(skeleton: string, id: TokenId): boolean
  /** The same for names. */
  hasName(skeleton: string, id: TokenId): boolean
  /** True if it is the skeleton of a native coin's or a pinned symbol, on any chain. */
  isWellKnown(skeleton: string): boolean
}

const LINK =
  /https?:|www\.|t\.me\/|discord\.|\.eth\.|[\p{L}\p{N}-]{2,}\s?\.\s?(?:com|org|net|io|xyz|app|fi|finance|gift|site|top|vip|cc|co|me|info|live|claims?|cash|lol|club|pro|link|online|space|store|tech|world|zone|dev|gg|ru|us|pw|ws)(?![\p{L}\p{N}])/iu
const LURE =
  /claim|airdrop|(?:^|[^\p{L}])(?:visit|voucher|redeem|giveaway|bonus|swap (?:at|on|within)|rewards? (?:at|on|for))(?:[^\p{L}]|$)/iu

/** Lists the reasons why an unlisted token counts as spam; empty if it does not. */
export function assessSpam(suspect: Suspect, originals: Originals): readonly SpamReason[] {
  const shown = [suspect.symbol, suspect.name]
  const looksLike = (test: RegExp) =>
    shown.some((text) => test.test(text) || test.test(text.normalize('NFKC')))
  const reasons: [SpamReason, boolean][] = [
    ['imitation', imitates(suspect, originals)],
    ['link', looksLike(LINK)],
    ['lure', looksLike(LURE)],
    ['hidden-characters', suspect.wasHidden],
    ['mixed-scripts', shown.some(mixesScripts)],
    ['no-name', shown.some((text) => foldConfusables(text) === '')],
    ['no-supply', suspect.totalSupply === 0n],
  ]
  return reasons.filter(([, holds]) => holds).map(([reason]) => reason)
}

function imitates(suspect: Suspect, originals: Originals): boolean {
  const symbol = foldConfusables(suspect.symbol)
  const name = foldConfusables(suspect.name)
  if (symbol === '' || name === '') return false
  // Look-alike letters are deliberate: a Cyrillic letter is there to be read as the Latin one.
  const isDisguised = /[^\x20-\x7e]/.test(suspect.symbol + suspect.name)
  const isTrusted = suspect.isKnownToProvider && !isDisguised
  if (originals.hasName(name, suspect) && originals.hasSymbol(symbol, suspect)) return true
  if (isTrusted) return false
  return (
    originals.hasSymbol(symbol, suspect) || originals.hasName(name, suspect) || originals.isWellKnown(symbol)
  )
}
