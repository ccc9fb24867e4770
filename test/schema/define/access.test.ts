import { expect, it } from 'vitest'
import { createMemoryState } from '../../../db/shared-state/create-memory-state.ts'
import { createRateLimiter } from '../../../gateway/limits/create-rate-limiter.ts'
import { createLogger } from '../../../gateway/logging.ts'
import type { Principal } from '../../../relayer/identity/principal.ts'
import type { Services } from '../../../relayer/services.ts'
import { forClient, presentClient } from '../../../relayer/shares/client.ts'
import { followAccount } from '../../../schema/define/access.ts'

const ACCOUNT = 'b1f3f8a0-2f1e-4c52-9d0f-0d3c5e8a7b11'
const principal: Principal = {
  kind: 'session',
  id: 'principal',
  authAddress: null,
  accountId: ACCOUNT,
  keyAccessMethod: 'unknown',
  scopes: new Set(['read']),
  tokenId: 'token',
  expiresAt: null,
}

it('a stream reads each event in the name of its client, whoever asks for it', async () => {
  const context = {
    authenticate: async () => principal,
    client: { address: '198.51.100.1' },
    limiter: createRateLimiter(createMemoryState(createLogger({ level: 'silent' }))),
    services: { accountChanges: { admit: () => {} } } as unknown as Services,
    signal: new AbortController().signal,
  }
  const events = await followAccount(null, context, async function* (accountId) {
    for (;;) yield { accountId, client: presentClient() }
  })
  const asItself = { accountId: ACCOUNT, client: { network: '198.51.100.1', account: 'principal' } }
  expect(await events.next()).toEqual({ done: false, value: asItself })
  const other = { network: '198.51.100.2', account: null }
  expect(await forClient(other, () => events.next())).toEqual({ done: false, value: asItself })
  await events.return(undefined)
})
