import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { canonicalize, type Json } from '../e2e/examples/verify-quote.ts'

type Quote = { [name: string]: Json }

/** A gateway in front of the service that answers quotes as it likes, and signs them with a key of its own. */
export interface LyingGateway {
  url: string
  /** What becomes of the quotes to come; each is signed again afterwards. */
  tell(lie: (quote: never) => object): void
  /** Submissions that reached it: what somebody believed. */
  believed(): number
  stop(): Promise<void>
}

/** Starts one before the service at this URL; until it is told a lie it passes quotes on as they are. */
export async function startLyingGateway(serviceUrl: string): Promise<LyingGateway> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const point = [Buffer.of(4), Buffer.from(x ?? '', 'base64url'), Buffer.from(y ?? '', 'base64url')]
  const key = {
    publicKey: Buffer.concat(point).toString('hex'),
    format: 'hex',
    curve: 'P-256',
    algorithm: 'ECDSA',
  }
  let lie: (quote: never) => object = (quote) => quote
  let submissions = 0

  const signed = (quote: Quote): Quote => {
    const { signature: _, ...terms } = quote
    const bytes = sign('sha256', Buffer.from(canonicalize(terms)), {
      key: privateKey,
      dsaEncoding: 'ieee-p1363',
    })
    return { ...terms, signature: `0x${bytes.toString('hex')}` }
  }
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const { url = '', method = 'GET', headers } = request
      const answer = await fetch(`${serviceUrl}${url}`, {
        method,
        headers: Object.fromEntries(
          ['authorization', 'content-type', 'idempotency-key'].flatMap((name) => {
            const value = headers[name]
            return typeof value === 'string' ? [[name, value]] : []
          }),
        ),
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      })
      let text = await answer.text()
      if (url.endsWith('/submit')) submissions += 1
      if (url.endsWith('/quote-signer-public-key')) text = JSON.stringify(key)
      else if (answer.ok && /\/(?:quote|refresh)$/.test(url))
        text = JSON.stringify(signed(lie(JSON.parse(text) as never) as Quote))
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tell(told) {
      lie = told
    },
    believed: () => submissions,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
