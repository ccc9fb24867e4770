import { privateKeyToAccount } from 'viem/accounts'
import type { FeeCommitmentMessage } from '../../proving/proving-pool.ts'
import { createProvingPool } from '../../proving/create-proving-pool.ts'
import { createFeeCommitmentSigners } from '../../proving/signing/fee-commitment-signers.ts'
import { encodeRelayData } from '../../relayer/pools/formulas.ts'
import { NATIVE_ASSET } from '../../relayer/chains/config.ts'
import { deriveAccounts } from '../../relayer/devnet/accounts.ts'
import { COMMITMENT_TYPES, commitTo } from '../../test/harness/relay-requests.ts'
import { measureInterleaved, type Case } from '../measure/measure-interleaved.ts'
import type { UnratedRow } from '../measure/row.ts'
import type { Settings } from '../settings.ts'

const BASELINE = 'sign.viem'
const CHAIN_ID = 31_337

/** EIP-712 fee commitments, each with another expiration: signing them, and recognising one's own. */
export async function benchSign(settings: Settings): Promise<UnratedRow[]> {
  const { privateKey, address } = deriveAccounts().feeReceiver
  const account = privateKeyToAccount(privateKey)
  const signers = await createFeeCommitmentSigners([privateKey])
  const pool = await createProvingPool({ commitmentKeys: [privateKey], threads: 1 })
  const withdrawalData = encodeRelayData({ recipient: address, feeRecipient: address, relayFeeBps: 100n })
  const terms = { withdrawalData, asset: NATIVE_ASSET, amount: 10n ** 18n, extraGas: false }
  let expiration = BigInt(Date.now())
  const next = (): FeeCommitmentMessage => ({ ...terms, chainId: CHAIN_ID, expiration: expiration++ })

  const fixed = { ...terms, expiration: Number(expiration), amount: String(terms.amount) }
  const { signedRelayerCommitment: signature } = await commitTo(fixed, CHAIN_ID)
  const own = { message: { ...terms, chainId: CHAIN_ID, expiration: BigInt(fixed.expiration) }, signature }
  if (signers.sign({ signer: address, message: own.message }) !== signature)
    throw new Error('the signatures differ from those of viem')

  const domain = { name: 'Privacy Pools Relayer', version: '1', chainId: CHAIN_ID }
  const cases: Case[] = [
    {
      name: BASELINE,
      baseline: null,
      run: () =>
        account.signTypedData({
          domain,
          types: COMMITMENT_TYPES,
          primaryType: 'RelayerCommitment',
          message: { ...next() },
        }),
    },
    {
      name: 'sign.commitment',
      baseline: BASELINE,
      run: () => signers.sign({ signer: address, message: next() }),
    },
    { name: 'sign.findOwnSigner', baseline: BASELINE, run: () => signers.findSigner(own) },
    {
      name: 'sign.pool',
      baseline: BASELINE,
      run: () => pool.signFeeCommitment({ signer: address, message: next() }),
    },
  ]
  try {
    return await measureInterleaved(cases, settings)
  } finally {
    await pool.close()
  }
}
