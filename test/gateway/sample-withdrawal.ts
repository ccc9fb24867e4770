import { NATIVE_ASSET } from '../../relayer/chain/nodes/config.ts'
import type { RelayerQuote } from '../../relayer/pool/relay/withdrawals.ts'

const ADDRESS = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'

export const quoteAnswer: RelayerQuote = {
  baseFeeBps: 10n,
  feeBps: 25n,
  gasPrice: 1_500_000_000n,
  feeCommitment: {
    expiration: 1_700_000_060_000,
    withdrawalData: `0x${'00'.repeat(96)}`,
    asset: NATIVE_ASSET,
    amount: 10n ** 18n,
    extraGas: false,
    signedRelayerCommitment: `0x${'11'.repeat(65)}`,
  },
  detail: { relayTxCost: { gas: 650_000n, eth: 975_000_000_000_000n } },
}

/** A well-formed POST /relayer/quote. */
export const sampleQuoteBody = {
  chainId: 1,
  amount: '1000000000000000000',
  asset: NATIVE_ASSET as string,
  recipient: '0x54a7ea4391ECA945c18896C62fbEE877AdB4b7de',
}

/** A well-formed POST /relayer/request; its proof proves nothing. */
export const sampleRequestBody = {
  withdrawal: { processooor: ADDRESS as string, data: quoteAnswer.feeCommitment.withdrawalData as string },
  proof: {
    pi_a: ['1', '2', '1'],
    pi_b: [
      ['3', '4'],
      ['5', '6'],
      ['1', '0'],
    ],
    pi_c: ['7', '8', '1'],
    protocol: 'groth16',
    curve: 'bn128',
  },
  publicSignals: ['11', '12', '13', '14', '15', '16', '17', '18'],
  scope: '99',
  chainId: 1,
  feeCommitment: { ...quoteAnswer.feeCommitment, amount: '1000000000000000000' },
}
