import { z } from 'zod'
import { address, amount, chainId, dollars } from '../define/scalars.ts'
import { described, shape } from '../define/shape.ts'
import { offRampProgress } from '../transact/off-ramp-progress.ts'

const step = shape('OffRampStep', 'A step of the way that a cash-out takes.', {
  id: described(z.string(), 'Key of the step, for a program.', { graph: { name: 'key' } }),
  label: described(z.string(), 'Name of the step in English, for a person.'),
})

const route = shape('OffRampRoute', 'The way that a cash-out takes.', {
  steps: described(z.array(step), 'The steps from the account’s funds to the payment, in their order.'),
  description: described(z.string(), 'The way in one English sentence, for a person.'),
})

/** A cash-out; null for every other activity. */
export const offRamp = shape('OffRamp', 'A cash-out.', {
  peerDepositId: described(
    z.string().nullable(),
    'Id of the deposit for clients of the venue, `<escrow>_<depositId>`; null until the escrow has it.',
  ),
  paymentMethod: described(z.string(), 'How the buyer pays, by the venue’s name for it: `venmo`.'),
  ...offRampProgress.shape,
  peerUrl: described(z.string().nullable(), 'URL of the deposit at the venue; null where it shows none.'),
  sourceChainId: described(chainId, 'EIP-155 id of the chain that the funds leave.'),
  sourceChainName: described(z.string(), 'Name of the chain that the funds leave.'),
  sourceTokenAddress: described(address, 'Contract of the token given; the zero address is the native coin.'),
  sourceTokenSymbol: described(z.string(), 'Symbol of the token given.'),
  sourceDecimals: described(z.int(), 'Decimals of the token given.'),
  sourceAmount: described(amount, 'Amount given, in the smallest unit.'),
  escrowChainId: described(chainId, 'EIP-155 id of the chain where the escrow holds the funds.'),
  escrowChainName: described(z.string(), 'Name of the chain where the escrow holds the funds.'),
  escrowTokenAddress: described(
    address,
    'Contract of the token in escrow; the zero address is the native coin.',
  ),
  escrowTokenSymbol: described(z.string(), 'Symbol of the token in escrow.'),
  escrowDecimals: described(z.int(), 'Decimals of the token in escrow.'),
  escrowAmount: described(amount, 'Amount put into escrow, in the smallest unit.'),
  usdAmount: described(
    dollars.nullable(),
    'Value of the amount put into escrow in US dollars; null without a price.',
  ),
  estimatedFiatAmount: described(
    z.string().nullable(),
    'The buyers’ payment, with the currency: as agreed with each, and an estimate by the quoted rate for the rest; null where the token’s decimals are not known.',
  ),
  progress: described(z.number(), 'Part of the escrow that was sold, 0 to 1.'),
  fromIncognito: described(
    z.boolean(),
    'True when the funding address had got its funds out of a pool last.',
  ),
  route,
  serviceFee: described(
    amount.nullable(),
    'Service fee in the smallest unit of its token; null when none was taken.',
  ),
  serviceFeeTokenAddress: described(
    address.nullable(),
    'Token of the service fee; the zero address is the native coin, null when no fee was taken.',
  ),
  serviceFeeTokenSymbol: described(
    z.string().nullable(),
    'Symbol of the service fee’s token; null when no fee was taken.',
  ),
  serviceFeeDecimals: described(
    z.int().nullable(),
    'Decimals of the service fee’s token; null when no fee was taken.',
  ),
  serviceFeeUsd: described(
    z.number().nullable(),
    'Value of the service fee in US dollars; null without a price.',
  ),
})
