import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { explorerTxUrlBase } from '../../../relayer/chain/nodes/supported-chains.ts'
import { renderPage } from '../explorer/render-transaction.ts'
import { connectWallet } from '../wallet/connect-wallet.ts'
import { deposit } from '../wallet/deposit.ts'
import { makeSecrets } from '../../../schema/client/pool/note.ts'
import { at } from '../../vectors/relay-story.ts'
import { startTestDevnet, type TestDevnet } from '../../harness/start-test-devnet.ts'

describe('the explorer of the devnet', () => {
  let test: TestDevnet
  let base: string

  beforeAll(async () => {
    test = await startTestDevnet()
    base = explorerTxUrlBase(at(test.devnet.chains, 0))!
  })
  afterAll(() => test[Symbol.asyncDispose]())

  it('shows a transaction with its logs at the address that activities have', async () => {
    const { asset, pool } = at(test.chain.pools, 0)
    const client = at(test.chain.accounts, 4)
    const request = {
      entrypoint: test.chain.entrypoint,
      asset,
      pool,
      gross: 10n ** 18n,
      secrets: makeSecrets(),
    }
    const wallet = connectWallet(test.chain, client.privateKey)
    const { hash } = await deposit(wallet, request)
    const { logs } = await wallet.reader.getTransactionReceipt({ hash })
    const answer = await fetch(`${base}${hash}`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const page = await answer.text()
    for (const text of ['success', client.address, '1 of the coin', `Logs (${logs.length})`, pool])
      expect(page.toLowerCase()).toContain(text.toLowerCase())
  })

  it('answers 404 for hashes that are no transactions of its chains', async () => {
    const hash = `0x${'7'.repeat(64)}`
    const urls = [`${base}${hash}`, `${base}0x12`, base.replace('31337', '1') + hash]
    const answers = await Promise.all(urls.map((url) => fetch(url)))
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
  })

  it('escapes every text', () => {
    expect(renderPage('<script>', `"a" & 'b' <img>`)).toContain(
      '<h1>&lt;script&gt;</h1><p>&quot;a&quot; &amp; &#39;b&#39; &lt;img&gt;</p>',
    )
  })
})
