import { nameLookupsExhausted } from '../../relayer/account/subdomains/errors.ts'
import {
  chainNotSupported,
  gasPriceAboveCap,
  noGasForSending,
  simulationFailed,
} from '../../relayer/chain/errors.ts'
import { accountNotFound } from '../../relayer/errors.ts'
import { tokenMetadataUnavailable } from '../../relayer/market/errors.ts'
import { poolNotFound, poolStateRefreshing } from '../../relayer/pool/errors.ts'
import { lostRecipientErrors } from '../../relayer/pool/recipients/errors.ts'
import { gasPriceAboveLimit, withdrawalAmountTooSmall } from '../../relayer/pool/relay/errors.ts'
import { nameServiceUnavailable } from '../../relayer/transact/ens/errors.ts'
import {
  decimalsMismatch,
  feeTokenUnpriced,
  insufficientBalance,
  insufficientFundsForFees,
  provenanceMix,
  quoteLockConflict,
  quoteNotFound,
  quoteNotRefreshable,
  quoteSubmitted,
  repeatedQuoteEnded,
  swapUnavailable,
} from '../../relayer/transact/errors.ts'
import { collectibleNotFound, collectibleUnderWay } from '../../relayer/transact/kinds/nft-withdraw/errors.ts'
import { POOL_DEPOSIT_ERRORS, poolDead } from '../../relayer/transact/kinds/pool-deposit/errors.ts'
import { toldSpendsFull } from '../../relayer/transact/pool-spending/errors.ts'
import { SWAP_PRICE_ERRORS } from '../../relayer/transact/kinds/swap/errors.ts'
import {
  addressPoisoningMatch,
  contractRecipient,
  destinationInvalid,
  destinationNotFound,
} from '../../relayer/transact/safety/errors.ts'
import { addressKindUnknown, addressNotServed } from '../../relayer/transact/screening/errors.ts'
import { BRIDGE_ERRORS } from '../../relayer/transact/venues/bridge/errors.ts'
import {
  CASH_OUT_ERRORS,
  cashOutTooSmall,
  cashOutUnavailable,
  cashOutUnsupported,
} from '../../relayer/transact/venues/cash-out/errors.ts'
import { CASH_WITHDRAWAL_ERRORS } from '../../relayer/transact/kinds/offramp-withdraw/errors.ts'
import { accountMutation, accountQuery } from '../define/account-operation.ts'
import { checkRepeatedQuote, keepShown, showQuote } from './show-quote.ts'
import { publicQuery } from '../define/operation.ts'
import {
  callAttribution,
  avatar,
  avatarQuery,
  maxSpendable,
  maxSpendableBody,
  quoteBody,
  quotePath,
  quoteSignerKey,
  recipientKind,
  recipientQuery,
  unlockBody,
  unlocked,
} from './model.ts'
import { quote } from './quote-model.ts'
import { describeOfframpPreview, offrampPreview, offrampPreviewBody } from './offramp-preview.ts'
import { describeSwapPreview, readPreviewRequest, swapPreview, swapPreviewBody } from './swap-preview.ts'
import { addressOfAnotherApp, appBlocked } from '../../relayer/account/apps/errors.ts'
import { callToOwnAccount, notOwnAddress } from '../../relayer/transact/kinds/dapp-call/errors.ts'
import { quoteRequest, readMaxRequest, readQuoteRequest } from './kinds/quote-shapes.ts'
import { RECOVERY_ERRORS } from './recovery-operations.ts'
import { writePoisoning } from '../../relayer/transact/quotes/quote-document.ts'
import type { MaxSpendable, RecipientKind } from '../../relayer/transact/transact.ts'
import type { AnswerOf } from '../define/encode.ts'

const section = 'Sending'

/** Errors of the calls of apps. */
const DAPP_CALL_ERRORS = [appBlocked, notOwnAddress, addressOfAnotherApp, callToOwnAccount]

export const transactOperations = [
  publicQuery({
    name: 'quoteSignerPublicKey',
    rest: 'GET /v1/.well-known/quote-signer-public-key',
    section,
    summary: 'The key that signs quotes',
    description: 'Verifies the `signature` of quotes.',
    input: {},
    output: quoteSignerKey,
    run: async (_, { services }) => services.quotes.signerPublicKey(),
  }),
  publicQuery({
    name: 'attribution',
    rest: 'GET /v1/.well-known/attribution',
    section,
    summary: 'The marks that calls may carry',
    description:
      'A wallet accepts the `calldataCaveats` of a quote only when they carry one of these. A service without marks answers empty lists.',
    input: {},
    output: callAttribution,
    run: async (_, { services }) => services.quotes.attribution(),
  }),
  accountMutation({
    name: 'createQuote',
    rest: 'POST /v1/accounts/{accountId}/quote',
    limit: 30,
    idempotency: 'optional',
    checkRepeated: checkRepeatedQuote,
    errors: [
      accountNotFound,
      poolNotFound,
      addressNotServed,
      nameServiceUnavailable,
      addressKindUnknown,
      chainNotSupported,
      gasPriceAboveCap,
      noGasForSending,
      insufficientBalance,
      insufficientFundsForFees,
      provenanceMix,
      feeTokenUnpriced,
      simulationFailed,
      quoteLockConflict,
      repeatedQuoteEnded,
      tokenMetadataUnavailable,
      decimalsMismatch,
      destinationInvalid,
      destinationNotFound,
      nameLookupsExhausted,
      contractRecipient,
      ...lostRecipientErrors,
      addressPoisoningMatch,
      swapUnavailable,
      ...SWAP_PRICE_ERRORS,
      ...BRIDGE_ERRORS,
      ...CASH_OUT_ERRORS,
      ...CASH_WITHDRAWAL_ERRORS,
      poolStateRefreshing,
      gasPriceAboveLimit,
      withdrawalAmountTooSmall,
      toldSpendsFull,
      ...POOL_DEPOSIT_ERRORS,
      ...DAPP_CALL_ERRORS,
    ],
    section,
    summary: 'Quote a payment and lock its funds',
    description:
      'Answers what to sign. Funds stay locked until the quote is submitted, unlocked or ends. 400 INSUFFICIENT_BALANCE and INSUFFICIENT_FUNDS_FOR_FEES say what could be sent, PROVENANCE_MIX and CONTRACT_RECIPIENT what to acknowledge; 409 QUOTE_LOCK_CONFLICT when other quotes hold the funds, ADDRESS_POISONING_MATCH for a recipient that imitates a known address.',
    input: { body: quoteBody },
    bodyOnWire: quoteRequest,
    output: quote,
    async run({ path, body }, { services, keepAnswer }) {
      const request = readQuoteRequest(body)
      return showQuote(await services.quotes.create(path.accountId, request, keepShown(keepAnswer)))
    },
  }),
  accountMutation({
    name: 'refreshQuote',
    rest: 'POST /v1/accounts/{accountId}/quotes/{quoteId}/refresh',
    idempotency: 'required',
    checkRepeated: checkRepeatedQuote,
    errors: [
      quoteNotFound,
      ...DAPP_CALL_ERRORS,
      ...RECOVERY_ERRORS,
      collectibleNotFound,
      collectibleUnderWay,
      addressNotServed,
      addressKindUnknown,
      quoteNotRefreshable,
      chainNotSupported,
      gasPriceAboveCap,
      noGasForSending,
      insufficientBalance,
      insufficientFundsForFees,
      provenanceMix,
      feeTokenUnpriced,
      simulationFailed,
      quoteLockConflict,
      repeatedQuoteEnded,
      tokenMetadataUnavailable,
      swapUnavailable,
      ...SWAP_PRICE_ERRORS,
      ...BRIDGE_ERRORS,
      ...CASH_OUT_ERRORS,
      ...CASH_WITHDRAWAL_ERRORS,
      poolNotFound,
      poolStateRefreshing,
      ...POOL_DEPOSIT_ERRORS,
    ],
    section,
    summary: 'Put a quote at the present cost in the place of another',
    description:
      'The same payment from the same addresses and until the same time, its funds locked throughout. 400 QUOTE_NOT_REFRESHABLE once the old one has ended or was submitted, PROVENANCE_MIX where money of another origin has come to its addresses since.',
    input: { path: quotePath },
    output: quote,
    run: async ({ path }, { services, keepAnswer }) =>
      showQuote(await services.quotes.refresh(path.accountId, path.quoteId, keepShown(keepAnswer))),
  }),
  accountMutation({
    name: 'unlockQuote',
    rest: 'POST /v1/accounts/{accountId}/unlock',
    errors: [quoteNotFound, addressNotServed, quoteSubmitted],
    section,
    summary: 'Give up a quote',
    description: 'Its funds are free again. Repeated, it answers the same. 400 once the quote was submitted.',
    input: { body: unlockBody },
    output: unlocked,
    run: async ({ path, body }, { services }) => {
      await services.quotes.unlock(path.accountId, body.quoteId)
      return { success: true, message: 'Quote unlocked' }
    },
  }),
  accountQuery({
    name: 'maxSpendable',
    field: 'maxSpendable',
    rest: 'POST /v1/accounts/{accountId}/max-spendable',
    errors: [
      addressNotServed,
      chainNotSupported,
      feeTokenUnpriced,
      simulationFailed,
      tokenMetadataUnavailable,
      swapUnavailable,
      ...SWAP_PRICE_ERRORS,
      ...BRIDGE_ERRORS,
      cashOutUnsupported,
      poolNotFound,
      poolStateRefreshing,
      poolDead,
    ],
    section,
    summary: 'The most that can be sent',
    description:
      'After fees, for any recipient, without joining addresses whose money comes from different origins; of a spend from a pool, by as many notes as one spend takes. Nothing is locked.',
    input: { body: maxSpendableBody },
    output: maxSpendable,
    run: async ({ path, body: { type = 'send', ...body } }, { services }) =>
      describeMaxSpendable(await services.quotes.maxSpendable(path.accountId, readMaxRequest(type, body))),
  }),
  accountQuery({
    name: 'swapPreview',
    field: 'swapPreview',
    rest: 'POST /v1/accounts/{accountId}/swap-preview',
    limit: 30,
    errors: [
      addressNotServed,
      addressKindUnknown,
      chainNotSupported,
      feeTokenUnpriced,
      simulationFailed,
      tokenMetadataUnavailable,
      swapUnavailable,
      ...SWAP_PRICE_ERRORS,
      ...BRIDGE_ERRORS,
    ],
    section,
    summary: 'Preview of a swap',
    description:
      'The price that a quote would have now. Nothing is locked and no address is made. `rateOnly` is true when the account’s funds could not pay. Any price impact is shown; a quote above 15 percent wants `acknowledgedPriceImpact`.',
    input: { body: swapPreviewBody },
    output: swapPreview,
    run: async ({ path, body }, { services }) =>
      describeSwapPreview(await services.previews.swap(path.accountId, readPreviewRequest(body))),
  }),
  accountQuery({
    name: 'offrampPreview',
    field: 'offrampPreview',
    rest: 'POST /v1/accounts/{accountId}/offramp-preview',
    limit: 30,
    errors: [
      addressNotServed,
      chainNotSupported,
      feeTokenUnpriced,
      simulationFailed,
      tokenMetadataUnavailable,
      swapUnavailable,
      ...BRIDGE_ERRORS,
      cashOutUnsupported,
      cashOutUnavailable,
      cashOutTooSmall,
    ],
    section,
    summary: 'Preview of a cash-out',
    description:
      'The tokens that can be sold for money, the methods, and the proceeds of an amount by one of them now. Nothing is locked, and neither a payee nor an address is sent to the venue. `rateOnly` is true when the account’s funds could not pay.',
    input: { body: offrampPreviewBody },
    output: offrampPreview,
    run: async ({ path, body }, { services }) =>
      describeOfframpPreview(await services.previews.offramp(path.accountId, body)),
  }),
  accountQuery({
    name: 'destinationAvatar',
    field: 'destinationAvatar',
    rest: 'GET /v1/accounts/{accountId}/destination-avatar',
    limit: 60,
    section,
    summary: 'The picture of a destination',
    description: 'Null for an address, and for a name without a public picture.',
    input: { query: avatarQuery },
    output: avatar,
    run: async ({ query }, { services }) => ({
      avatarUrl: await services.quotes.findAvatar(query.destinationAddress),
    }),
  }),
  accountQuery({
    name: 'recipientAddressKind',
    field: 'recipientAddressKind',
    rest: 'GET /v1/accounts/{accountId}/recipient-address-kind',
    limit: 60,
    errors: [addressKindUnknown, chainNotSupported],
    section,
    summary: 'Facts about an address',
    description:
      '`eoa` a key, `delegated` a key whose account runs code, `contract` code alone, `own` one of the account’s; and the known address that it imitates, if any.',
    input: { query: recipientQuery },
    output: recipientKind,
    run: async ({ path, query }, { services }) =>
      describeRecipient(
        await services.quotes.describeRecipient(path.accountId, query.chainId, query.address),
      ),
  }),
]

/** Summarises the cost of sending the maximum. */
function describeMaxSpendable(max: MaxSpendable): AnswerOf<typeof maxSpendable> {
  const { network, service, deposit, vetting } = max.fees
  const total = network + service + deposit + vetting
  return {
    maxAmount: max.maxAmount,
    feeEstimate: total,
    feeEstimateUsdAmount: max.feeEstimateUsd,
    spendableCount: max.spendableCount,
    grossAmount: max.grossAmount,
    fees: { network, vetting, deposit, service, total },
    protocolFeeBps: max.protocolFeeBps,
    protocolFeeAmount: service,
  }
}

/** The kind of an address, and the known address that it imitates, if any. */
function describeRecipient({ kind, poisoning }: RecipientKind): AnswerOf<typeof recipientKind> {
  return {
    kind,
    addressPoisoningMatch: poisoning && writePoisoning(poisoning),
  }
}
