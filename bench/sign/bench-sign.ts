import { generateKeyPairSync } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { recoverTypedDataAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { FeeCommitmentMessage } from '../../proving/proving-pool.ts'
import { createProvingPool } from '../../proving/create-proving-pool.ts'
import { createCommitmentDigest } from '../../proving/signing/commitment-digest.ts'
import { loadEcdsa } from '../../proving/signing/ecdsa.ts'
import { createFeeCommitmentSigners } from '../../proving/signing/fee-commitment-signers.ts'
import { createQuoteSigner } from '../../proving/signing/quote-signer.ts'
import { recoverSigner } from '../../proving/signing/recover-signer.ts'
import { encodeRelayData } from '../../relayer/pool/state/formulas.ts'
import { NATIVE_ASSET } from '../../relayer/chain/nodes/config.ts'
import { deriveAccounts } from '../../test/devnet/accounts.ts'
import { COMMITMENT_TYPES, commitTo } from '../../test/harness/relay-requests.ts'
import { measureInterleaved, type Case } from '../measure/measure-interleaved.ts'
import type { UnratedRow } from '../measure/row.ts'
import type { Settings } from '../settings.ts'

const BASELINE = 'sign.viem'
const BASELINE_OF_RECOVERY = 'sign.viemRecover'
const BASELINE_OF_QUOTES = 'sign.nobleQuote'
const CHAIN_ID = 31_337

/** Signs EIP-712 fee commitments, each with another expiration, recognises own ones, and signs quotes. */
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
  const ecdsa = await loadEcdsa()
  const { digest } = createCommitmentDigest()
  const recover = () => {
    const hash = digest(own.message)
    return hash && recoverSigner(ecdsa, hash, signature)
  }
  if (recover() !== address.toLowerCase()) throw new Error('the signer is not recovered')
  const quoteKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const quoteSigner = createQuoteSigner(quoteKey.export({ format: 'pem', type: 'pkcs8' }).toString())
  const quoteScalar = Buffer.from(quoteKey.export({ format: 'jwk' }).d ?? '', 'base64url')
  const nextQuote = () => Buffer.from(`{"quote":"${expiration++}","amount":"1000000000000000000"}`)
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
    {
      name: BASELINE_OF_RECOVERY,
      baseline: null,
      run: () =>
        recoverTypedDataAddress({
          domain,
          types: COMMITMENT_TYPES,
          primaryType: 'RelayerCommitment',
          message: { ...own.message },
          signature,
        }),
    },
    { name: 'sign.recover', baseline: BASELINE_OF_RECOVERY, run: recover },
    {
      name: BASELINE_OF_QUOTES,
      baseline: null,
      run: () => p256.sign(sha256(nextQuote()), quoteScalar, { prehash: false }),
    },
    { name: 'sign.quote', baseline: BASELINE_OF_QUOTES, run: () => quoteSigner.sign(nextQuote()) },
  ]
  try {
    return await measureInterleaved(cases, settings)
  } finally {
    await pool.close()
  }
}
