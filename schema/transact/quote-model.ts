import { z } from 'zod'
import { FUNDING_CAVEATS } from '../../relayer/transact/quotes/quote-document.ts'
import { provenance } from '../account/provenance/model.ts'
import { provenanceLabelGroups } from '../account/provenance/source-model.ts'
import { receiveSummary } from '../account/receive-summary.ts'
import { address, bytes, chainId, digitText, dollars, hash, hexDigits } from '../define/scalars.ts'
import { described, shape } from '../define/shape.ts'
import { membersOfKinds } from './kinds/quote-shapes.ts'

// relayer/transact writes, signs and stores a quote as text, so its amounts and times are text here.
const digits = digitText()
const isoDate = z.iso.datetime()
const usd = dollars.nullable()

const typedMember = shape('TypedDataMember', 'A member of an EIP-712 type.', {
  name: described(z.string(), 'Name of the member in the type.'),
  type: described(z.string(), 'Solidity type of the member, for example `uint256`.'),
})

const intentDomain = shape('IntentDomain', 'EIP-712 domain of the Orchestrator contract.', {
  name: described(z.string(), 'Name that the Orchestrator signs under.'),
  version: described(z.string(), 'Version that the Orchestrator signs under.'),
  chainId: described(z.int().optional(), 'EIP-155 chain id; absent where `nonce` is good on several chains.'),
  verifyingContract: described(address, 'Contract address of the Orchestrator.'),
})

const intentTypes = shape('IntentTypes', 'EIP-712 types of an intent, in the form of eth_signTypedData_v4.', {
  Intent: described(z.array(typedMember), 'Members of the type `Intent`, in their order.'),
  Call: described(z.array(typedMember), 'Members of the type `Call`, in their order.'),
})

export const quotedIntent = shape('QuotedIntent', 'EIP-712 typed data to sign with the key of `eoa`.', {
  chainId,
  eoa: described(address, 'The account’s address that pays; its key signs the intent.'),
  executionData: described(bytes, 'The calls of the intent: abi.encode(Call[]).'),
  nonce: described(
    digits,
    'Sequence key (192 bits) and sequence (64 bits) of the intent, in decimal digits.',
  ),
  derivationNonce: described(
    digits,
    'Derivation nonce of `eoa` among the one-time addresses, in decimal digits.',
  ),
  payer: described(address, 'Payer of the Orchestrator; the zero address stands for `eoa`.'),
  paymentToken: described(
    address,
    'Token that the Orchestrator is paid in; the zero address is the native coin.',
  ),
  paymentMaxAmount: described(
    digits,
    'Most that the Orchestrator may take, in the smallest unit of `paymentToken`.',
  ),
  combinedGas: described(digits, 'Gas limit of the intent, verification and calls together.'),
  encodedPreCalls: described(z.array(hexDigits), 'Signed calls to execute before the intent, ABI-encoded.'),
  encodedFundTransfers: described(
    z.array(hexDigits),
    'Transfers by `funder` to execute before the intent, ABI-encoded.',
  ),
  settler: described(
    address,
    'Contract that settles an intent of several chains; the zero address for none.',
  ),
  expiry: described(digits, 'Seconds since the epoch after which the chain refuses the intent.'),
  isMultichain: described(
    z.boolean(),
    'True when `signature` is a Merkle proof over the intents of several chains.',
  ),
  funder: described(
    address,
    'Address that funds the intent from elsewhere; the zero address if there is none.',
  ),
  funderSignature: described(hexDigits, 'Signature of `funder`; `0x` without one.'),
  settlerContext: described(hexDigits, 'Data for `settler`; `0x` without one.'),
  paymentAmount: described(digits, 'The Orchestrator’s present fee, in the smallest unit of `paymentToken`.'),
  paymentRecipient: described(address, 'Receiver of the payment; the zero address while nothing is paid.'),
  paymentSignature: described(hexDigits, 'Signature of `payer`; `0x` where `eoa` pays.'),
  supportedAccountImplementation: described(
    address,
    'Implementation that the code of `eoa` must point to; the zero address allows any.',
  ),
  domain: intentDomain,
  types: intentTypes,
  primaryType: described(z.literal('Intent'), 'EIP-712 primary type: always `Intent`.'),
})

export const quotedDelegation = shape(
  'QuotedDelegation',
  'EIP-7702 authorization to sign with the key of `address`.',
  {
    chainId,
    address: described(address, 'The account’s address that will run the contract’s code.'),
    contractAddress: described(address, 'Contract whose code `address` will run.'),
    derivationNonce: described(z.int(), 'Derivation nonce of `address` among the one-time addresses.'),
    authorizationNonce: described(
      z.int(),
      'Transaction count of `address` that the authorization is good for.',
    ),
  },
)

const calldataCaveat = shape('CalldataCaveat', 'A part of a call that a wallet must check by itself.', {
  callIndex: described(z.int(), 'Position of the call in `executionData`, from 0.'),
  kind: described(z.string(), 'Kind of caveat, for a program.'),
  policyVersion: described(z.int(), 'Version of the rule by which a wallet checks it.'),
  verifier: described(z.string(), 'Name of the check that a wallet runs.'),
  suffixLength: described(z.int(), 'Bytes appended to the calldata that the contract’s ABI does not cover.'),
  canonicalCalldataHash: described(hash, 'keccak256 of the calldata without the appended bytes.'),
  suffixHash: described(hash, 'keccak256 of the appended bytes.'),
})

const indices = z.array(z.int().nonnegative())
const intentReview = shape('IntentReview', 'Purpose of the calls of one intent.', {
  userActionCallIndices: described(indices, 'Positions of the calls that the user asked for, from 0.'),
  simulationCallIndices: described(indices, 'Positions of the calls that were simulated together, from 0.'),
  calldataCaveats: described(
    z.array(calldataCaveat),
    'Parts of the calls that a wallet must check by itself; empty when there are none.',
  ),
})

const signingReview = shape('SigningReview', 'Facts that a wallet shows before it signs.', {
  version: described(z.int(), 'Version of this format; changes when a wallet must read it differently.'),
  intents: described(z.array(intentReview), 'One review per intent, in the order of `Quote.intents`.'),
})

export const poisoningMatch = shape('AddressPoisoningMatch', 'A known address that another one imitates.', {
  matchedAddress: described(address, 'The known address that is imitated.'),
  matchedPrefixCharsCount: described(z.int(), 'Equal hex digits at the beginning, after 0x.'),
  matchedSuffixCharsCount: described(z.int(), 'Equal hex digits at the end.'),
  source: described(
    z.enum(['counterparty', 'own_address', 'address_book']),
    'counterparty: the account dealt with it. own_address: the account’s own. address_book: a contact.',
    { id: 'PoisoningMatchSource' },
  ),
  contactName: described(
    z.string().nullable(),
    'Name of the known address in the address book; null for an address that is no contact.',
  ),
})

const fundingSource = shape('FundingSource', 'An address that the quote is paid from.', {
  chainId,
  token: described(address, 'Contract of the token that is spent; the zero address is the native coin.'),
  address: described(address, 'The account’s one-time address that pays.'),
  amount: described(digits, 'Amount that leaves the address, fees included, in the smallest unit.'),
  idCount: described(z.int(), 'How often the address received the token.'),
  addressSummary: receiveSummary,
  provenance: described(
    provenance.optional(),
    'Origin of the holding that pays; absent where no holding pays.',
  ),
})

const quoteFees = shape('QuoteFees', 'Fees of the quote in the smallest unit of the sent token.', {
  network: described(digits, 'Gas with the margin that covers a rising gas price.'),
  dust: described(
    digits,
    'Change that stays at the last of the paying addresses and is less than spending it would cost; 0 where the change is worth more, or there is none. It is not paid to anybody.',
  ),
  service: described(digits, 'Service fee; `0` where it is waived.'),
  networkUsdAmount: described(usd, 'Value of `network` in US dollars; null without a price.'),
  totalUsdAmount: described(usd, 'Value of `total` in US dollars; null without a price.'),
  vetting: described(digits, 'Vetting fee of a pool deposit; `0` for other quotes.'),
  deposit: described(digits, 'Service fee of a pool deposit; `0` for other quotes.'),
  total: described(digits, 'All fees together, without `dust`.'),
  waived: described(z.boolean(), 'True when a fee waiver suspends the service fee.'),
})

const destinationName = shape('DestinationName', 'The name by which the recipient was given.', {
  name: described(z.string(), 'The name in its normalised form.'),
  service: described(z.string(), 'Name service that resolved it.'),
})

const quoteRefresh = shape('QuoteRefresh', 'When the price gets old, and when the quote ends.', {
  after: described(isoDate, 'From then on the price is old: refresh before signing.'),
  sessionExpiresAt: described(isoDate, 'When the quote ends, however often it is refreshed.'),
})

const fundingCaveat = shape(
  'FundingCaveat',
  'A fact that an observer of the chain learns from this payment.',
  {
    kind: described(
      z.enum(FUNDING_CAVEATS),
      'addresses_joined: several addresses pay together and become linked on chain. output_linked: the transaction shows that `outputRecipient` belongs to the address that pays. approval_replaced: an approval of the address is revoked. attribution: the calls carry a mark of this service, see `calldataCaveats`. beyond_default_scan: a published wallet looks for a note of such an index only on request. payee_linked: the escrow names the payee in public by `payeeDetails`, which joins the addresses of the cash-outs before to this one. amounts_linked: the amounts of the deposits show that they belong together, because they add up to what was asked for or two are equal.',
      { id: 'FundingCaveatKind' },
    ),
    addressCount: described(
      z.int().optional(),
      'Number of addresses that become linked; present only for `addresses_joined`.',
    ),
    earlierCashOuts: described(
      z.int().optional(),
      'Cash-outs of the account to the same payee before; present only for `payee_linked`.',
    ),
  },
)

export const quote = shape('Quote', 'The data to sign, its effects and its cost.', {
  quoteId: described(z.uuid(), 'Id of this quote, for submit, refresh and unlock.'),
  expiresAt: described(isoDate, 'When the quote ends and its funds are free again.'),
  signature: described(
    hexDigits,
    'ECDSA P-256 over SHA-256 of the canonical JSON (RFC 8785) of this answer without `signature` and without members that are null: 64 bytes r‖s in hex.',
  ),
  intents: described(z.array(quotedIntent), 'Data to sign by EIP-712: one intent per address that pays.'),
  delegations: described(
    z.array(quotedDelegation),
    'Data to sign by EIP-7702: one per paying address that has not delegated yet.',
  ),
  signingReview,
  expectedOutput: described(digits, 'Amount that the recipient gets, in the smallest unit of `outputToken`.'),
  minimumOutput: described(
    digits,
    'Least amount that the recipient gets, in the smallest unit of `outputToken`.',
  ),
  outputToken: described(address, 'Token that the recipient gets; the zero address is the native coin.'),
  outputDecimals: described(
    z.int(),
    'Decimals of `outputToken`: a whole token is 10^decimals smallest units.',
  ),
  outputSymbol: described(z.string(), 'Symbol of `outputToken`, as its contract or the token list has it.'),
  outputRecipient: described(address, 'Address that gets the output; a name is resolved to it.'),
  outputRecipientOwned: described(
    z.boolean(),
    'True when the recipient is one of the account’s own addresses.',
  ),
  destinationName: described(
    destinationName.nullable(),
    'The name that was given as destination; null where an address was given.',
  ),
  addressPoisoningMatch: described(
    poisoningMatch.nullable(),
    'The known address that the recipient imitates; null where it imitates none.',
  ),
  refresh: quoteRefresh,
  protocolFeeBps: described(
    z.number(),
    'Service fee in basis points of the amount sent; 0 where it is waived.',
  ),
  protocolFeeAmount: described(digits, 'Service fee in the smallest unit of the sent token.'),
  amountIn: described(digits, 'All that leaves the addresses: the amount sent and the fees.'),
  selectedFundingSources: described(
    z.array(fundingSource),
    'The addresses that pay, and what each one pays.',
  ),
  fundingCaveats: described(
    z.array(fundingCaveat),
    'Facts that observers of the chain learn from this payment; empty when nothing speaks against it.',
  ),
  provenanceLabelGroups,
  fees: quoteFees,
  ...membersOfKinds('answer'),
})
