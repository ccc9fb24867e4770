import { Aes128Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core'
import { bytesToHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildTree } from '../../schema/client/pool/merkle-proof.ts'
import { demandOwn, openNewClient } from '../../schema/client/account/open-client.ts'
import type { Json } from '../../schema/client/quotes/verify-quote.ts'
import type { WireState } from '../../schema/client/pool/pool-state.ts'
import { askQuote, refreshQuote, type Quote } from '../../schema/client/quotes/send.ts'
import { spendBlindly } from '../../schema/client/pool/spend-blindly.ts'
import { saveContact } from '../../schema/client/account/save-contact.ts'
import { encodeRelayData } from '../../relayer/pool/state/formulas.ts'
import { countProofs } from './lies/count-signatures.ts'
import { tellLies } from './lies/lies-story.ts'
import { openLiedWallet, type LiedWallet } from './lies/open-lied-wallet.ts'
import { listMemberLies, lookAlike } from './lies/walk-members.ts'

let wallet: LiedWallet
beforeAll(async () => {
  wallet = await openLiedWallet()
})
afterAll(() => wallet?.[Symbol.asyncDispose]())

/** A tree with one leaf more, and its root. */
const withLeaf = (leaves: readonly string[], list: string, root: string) => {
  const more = [...leaves, '5']
  return { [list]: more, [root]: String(buildTree(more.map(BigInt)).root) }
}

/** The kinds that differ most in their calls; test/deep/lying-service.test.ts has all. */
const KINDS = ['send of a token', 'bridge', 'deposit into a pool', 'cash-out', 'spend from a pool to oneself']

test('a hundred lies in signed quotes of five kinds get no signature', { timeout: 900_000 }, async () => {
  const refused = new Set<string>()
  for (const kind of KINDS) {
    const told = await tellLies(wallet, kind, false)
    expect(told.believed, kind).toEqual([])
    for (const lie of told.refused) refused.add(lie)
  }
  expect(refused.size).toBeGreaterThan(100)
})

describe('beside quotes', () => {
  test('the wallet proves no withdrawal for a relayer that commits to another recipient, fee or amount', async () => {
    const { liar, witness } = wallet
    const answers: Json[] = []
    const tell = async (answer: (honest: never) => unknown) => {
      const before = witness.made
      liar.pretend({ path: /^\/relayer\/quote$/, answer })
      const refusal = await wallet.withdraw().then(String, String)
      liar.pretend(null)
      return { isProven: witness.made > before, refusal }
    }
    const { isProven, refusal } = await tell((honest: Json) => (answers.push(honest), honest))
    expect(isProven, refusal).toBe(true)

    const honest = answers[0] as { feeBPS: string; feeCommitment: { withdrawalData: `0x${string}` } }
    const believed: string[] = []
    for (const { member, change, lie } of listMemberLies(answers[0] ?? null))
      if ((await tell(() => lie)).isProven) believed.push(`${member} ${change}`)
    const [data, fee] = [honest.feeCommitment.withdrawalData, BigInt(honest.feeBPS)]
    const [recipient, feeRecipient] = [data.slice(26, 66), data.slice(90, 130)].map(
      (word) => `0x${word}` as const,
    ) as [`0x${string}`, `0x${string}`]
    const committed = (to: `0x${string}`, relayFeeBps: bigint) => ({
      ...honest,
      feeBPS: String(relayFeeBps),
      feeCommitment: {
        ...honest.feeCommitment,
        withdrawalData: encodeRelayData({ recipient: to, feeRecipient, relayFeeBps }),
      },
    })
    for (const lie of [committed(lookAlike(recipient), fee), committed(recipient, 9_999n)])
      expect((await tell(() => lie)).isProven).toBe(false)
    // The use of the gas is only shown. The signer of the commitment and its expiry concern only the relayer itself.
    const isHarmless = (lie: string) =>
      /^(?:baseFeeBPS|gasPrice|detail)|^feeCommitment\.(?:signedRelayerCommitment|expiration) /.test(lie)
    expect(believed.filter((lie) => !isHarmless(lie))).toEqual([])
  })

  test.each([
    [
      'state tree',
      'no state tree as the service tells it',
      ({ leaves, ...state }: WireState) => ({ ...state, ...withLeaf(leaves, 'leaves', 'currentRoot') }),
    ],
    [
      'association set',
      'another association set',
      ({ aspLeaves, ...state }: WireState) => ({ ...state, ...withLeaf(aspLeaves, 'aspLeaves', 'aspRoot') }),
    ],
  ])('the wallet proves nothing in a %s that the chain does not have', async (_, refusal, answer) => {
    const { client, liar, witness, viewPool, thief } = wallet
    const spend = async () => {
      const view = await viewPool(zeroAddress, 0)
      const proved = {
        amount: 1_000n,
        recipient: thief.address,
        maxFee: 1_000n,
        prover: countProofs(witness),
      }
      return spendBlindly(client, { view, ...proved }).catch(String)
    }
    const before = witness.made
    liar.pretend({ path: /\/pool\/state\?/, answer })
    expect(await spend()).toContain(refusal)
    expect(witness.made).toBe(before)
    liar.pretend(null)
    expect(await spend()).not.toContain(refusal)
  })

  test('the wallet takes no refreshed quote that the chain could execute beside the old one', async () => {
    const { client, chains, liar, thief } = wallet
    const asked = { chainId: chains[0]!.chainId, token: zeroAddress, amount: 1_000n }
    const old = await askQuote(client, { ...asked, destination: thief.address })
    const quote = await refreshQuote(client, old)
    const further = (nonce: unknown) => String(BigInt(String(nonce)) + 1n)
    const lies: ((honest: Quote) => Quote)[] = [
      (honest) => ({
        ...honest,
        intents: honest.intents.map((intent) => ({ ...intent, nonce: further(intent.nonce) })),
      }),
      (honest) => ({ ...honest, intents: [] }),
    ]
    for (const lie of lies) {
      liar.tell(lie)
      await expect(refreshQuote(client, quote)).rejects.toThrow('beside the old one')
    }
    liar.tell(null)
  })

  test('the wallet shows no address that its keys do not control, or that it would not find again', async () => {
    const { client, liar } = wallet
    const pretend = async (answer: (honest: never) => unknown) => {
      liar.pretend({ path: /\/payment-address$/, answer })
      const outcome = await client.receive().catch((error: Error) => error)
      liar.pretend(null)
      return outcome
    }
    type Shown = { address: `0x${string}`; nonce: string }
    expect(await pretend((shown: Shown) => ({ ...shown, address: lookAlike(shown.address) }))).toMatchObject({
      message: expect.stringContaining('not an address of the account'),
    })
    expect(
      await pretend((shown: Shown) => ({ ...shown, nonce: String(BigInt(shown.nonce) + 1n) })),
    ).toMatchObject({
      message: expect.stringContaining('not an address of the account'),
    })
    const far = String(2 ** 40)
    const { address } = client.controlOf(far)
    expect(await pretend(() => ({ address, nonce: far }))).toMatchObject({
      message: expect.stringContaining('out of the wallet'),
    })
    expect(() => demandOwn(client, '-1', address)).toThrow('out of the wallet')
    expect(await pretend((shown: Shown) => shown)).toMatchObject({ address: expect.any(String) })
  })

  test('the wallet deposits under no index at which it would not find the deposit again', async () => {
    const { liar, kinds } = wallet
    const before = liar.requests.length
    for (const nextDepositIndex of [2 ** 40, 100_000, -1]) {
      liar.pretend({ path: /\/pool\/state/, answer: (state: object) => ({ ...state, nextDepositIndex }) })
      await expect(kinds['deposit into a pool']!()).rejects.toThrow('out of the wallet')
    }
    liar.pretend(null)
    expect(liar.requests.slice(before).filter(({ path }) => path.endsWith('/quote'))).toEqual([])
  })

  test.each([
    ['further lines', 'abcdefgh\nURI: https://elsewhere.example'],
    ['a message of its own', 'elsewhere.example wants you to sign in with your Ethereum account:'],
    ['nothing', ''],
    ['too little', 'abc'],
    ['an object', { nonce: 'abcdefgh' }],
  ])('the wallet signs in by no nonce that is %s', async (_, nonce) => {
    const { liar } = wallet
    const before = liar.requests.length
    liar.pretend({ path: /\/nonce\?/, answer: () => nonce })
    await expect(openNewClient({ url: liar.url })).rejects.toThrow()
    liar.pretend(null)
    const asked = liar.requests.slice(before).map(({ path }) => path)
    expect(asked).toEqual([expect.stringContaining('/v1/nonce')])
  })

  test('the wallet signs no contact for an account whose id is a text', async () => {
    const { liar } = wallet
    liar.pretend({
      path: /\/accounts\/$/,
      answer: (made: object) => ({
        ...made,
        accountId: 'x\nAddress: 0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
      }),
    })
    await expect(
      openNewClient({ url: liar.url }).then((client) => saveContact(client, wallet.thief.address, 'Alice')),
    ).rejects.toThrow('has no id')
    liar.pretend(null)
    expect(liar.requests.filter(({ path }) => path.includes('/address-book/'))).toEqual([])
  })

  test('the holder of an announced key learns the keys that view the account, and none that spends', async () => {
    const { liar } = wallet
    const suite = new CipherSuite({
      kem: new DhkemX25519HkdfSha256(),
      kdf: new HkdfSha256(),
      aead: new Aes128Gcm(),
    })
    const keys = await suite.kem.generateKeyPair()
    const publicKey = bytesToHex(new Uint8Array(await suite.kem.serializePublicKey(keys.publicKey))).slice(2)
    liar.pretend({ path: /\/hpke-public-key$/, answer: (honest: object) => ({ ...honest, publicKey }) })
    await expect(openNewClient({ url: liar.url })).rejects.toThrow()
    liar.pretend(null)
    const sealed = liar.requests.findLast(
      ({ path, method }) => method === 'POST' && path.endsWith('/accounts/'),
    )
    const { encapsulatedKey, ciphertext } = JSON.parse(sealed?.body ?? '{}') as Record<string, string>
    const read = (text = '') => new Uint8Array(Buffer.from(text, 'base64')).buffer
    const opened = await suite.open(
      { recipientKey: keys.privateKey, enc: read(encapsulatedKey) },
      read(ciphertext),
    )
    const told = JSON.parse(new TextDecoder().decode(opened)) as Record<string, string>
    expect(Object.keys(told).toSorted()).toEqual(['P_spend', 'P_view', 'child_p_view'])
    expect(told).toMatchObject({
      P_spend: expect.stringMatching(/^0x04[0-9a-f]{128}$/),
      P_view: expect.stringMatching(/^0x04[0-9a-f]{128}$/),
      child_p_view: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
  })
})
