import { randomBytes } from 'node:crypto'
import { createProvingPool } from '../../proving/create-proving-pool.ts'
import { deriveAddresses } from '../../proving/derivation/derive-addresses.ts'
import { loadStealthCurve, portableStealthCurve } from '../../proving/derivation/stealth-curve.ts'
import { childViewKeyOf, derivePlainly, publicKeyOf } from '../../test/proving/derivation/derive-plainly.ts'
import { measureInterleaved, type Case } from '../measure/measure-interleaved.ts'
import type { UnratedRow } from '../measure/row.ts'
import type { Settings } from '../settings.ts'

const BASELINE = 'derive.plain'
const BATCH = 100

/** Derives one-time addresses, each of another derivationNonce; the baseline uses @scure/bip32 and @noble/curves. */
export async function benchDerive(settings: Settings): Promise<UnratedRow[]> {
  const keys = {
    childViewKey: childViewKeyOf(randomBytes(32)),
    spendPublicKey: publicKeyOf(randomBytes(32)),
  }
  const curve = await loadStealthCurve()
  const pool = await createProvingPool({ commitmentKeys: [], threads: 1 })
  let nonce = 0n
  const plainly = (wanted: bigint) => derivePlainly(keys.childViewKey, keys.spendPublicKey, wanted).address
  if (deriveAddresses(curve, keys, [nonce])[0] !== plainly(nonce))
    throw new Error('the addresses differ from those of other libraries')

  const cases: Case[] = [
    { name: BASELINE, baseline: null, run: () => plainly(nonce++) },
    { name: 'derive.address', baseline: BASELINE, run: () => deriveAddresses(curve, keys, [nonce++]) },
    {
      name: 'derive.batch',
      baseline: BASELINE,
      operations: BATCH,
      run: () =>
        deriveAddresses(
          curve,
          keys,
          Array.from({ length: BATCH }, () => nonce++),
        ),
    },
    {
      name: 'derive.pool',
      baseline: BASELINE,
      operations: BATCH,
      run: () => {
        const first = nonce
        nonce += BigInt(BATCH)
        return pool.derive({ ...keys, first, count: BATCH })
      },
    },
    {
      name: 'derive.portable',
      baseline: BASELINE,
      run: () => deriveAddresses(portableStealthCurve, keys, [nonce++]),
    },
  ]
  try {
    return await measureInterleaved(cases, settings)
  } finally {
    await pool.close()
  }
}
