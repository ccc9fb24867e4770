import {
  chainNotSupported,
  gasPriceAboveCap,
  noGasForSending,
  simulationFailed,
} from '../../relayer/chain/errors.ts'
import { accountNotFound } from '../../relayer/errors.ts'
import { lostRecipientErrors } from '../../relayer/pool/recipients/errors.ts'
import { quoteLockConflict, repeatedQuoteEnded } from '../../relayer/transact/errors.ts'
import { addressPoisoningMatch, contractRecipient } from '../../relayer/transact/safety/errors.ts'
import { addressKindUnknown, addressNotServed } from '../../relayer/transact/screening/errors.ts'
import {
  collectibleNotFound,
  collectibleRecipientOwn,
  collectibleUnderWay,
  collectibleWithdrawnLately,
} from '../../relayer/transact/kinds/nft-withdraw/errors.ts'
import { accountMutation } from '../define/account-operation.ts'
import { checkRepeatedQuote, keepShown, showQuote } from './show-quote.ts'
import { address, amount } from '../define/scalars.ts'
import { described, shape } from '../define/shape.ts'
import { recipientMembers } from './kinds/kind-shapes.ts'
import { quote } from './quote-model.ts'

const withdrawBody = shape('CollectibleWithdrawRequest', 'The collectible to send away, and to whom.', {
  depositAddress: described(address, 'The account’s address that holds it.'),
  recipientAddress: described(address, 'Recipient: no address of the account.'),
  tokenId: described(amount, 'Number of the collectible in its collection, in decimal digits.'),
  acknowledgedContractRecipient: recipientMembers.acknowledgedContractRecipient,
  acknowledgedAddressPoisoningMatch: recipientMembers.acknowledgedAddressPoisoningMatch,
})

export const withdrawalOperations = [
  accountMutation({
    name: 'withdrawCollectible',
    rest: 'POST /v1/accounts/{accountId}/collectible/withdraw',
    idempotency: 'optional',
    checkRepeated: checkRepeatedQuote,
    errors: [
      accountNotFound,
      collectibleNotFound,
      collectibleRecipientOwn,
      collectibleUnderWay,
      collectibleWithdrawnLately,
      ...lostRecipientErrors,
      contractRecipient,
      addressPoisoningMatch,
      addressKindUnknown,
      addressNotServed,
      chainNotSupported,
      simulationFailed,
      quoteLockConflict,
      repeatedQuoteEnded,
      gasPriceAboveCap,
      noGasForSending,
    ],
    section: 'Sending',
    summary: 'Send a collectible away for free',
    description:
      'Answers a quote of one intent, to be signed and submitted like every other: the transfer of a recorded collectible from the address that holds it. There is no fee: the service pays for the gas, once a day for each collectible. The fee waiver ends when the collectible has left. 404 unless the collectible is recorded and held.',
    input: { body: withdrawBody },
    output: quote,
    run: async ({ path, body }, { services, keepAnswer }) => {
      const request = { kind: 'nft_withdraw', ...body } as const
      return showQuote(await services.quotes.create(path.accountId, request, keepShown(keepAnswer)))
    },
  }),
]
