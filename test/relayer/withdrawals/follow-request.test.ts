import { expect, test } from 'vitest'
import { leadsOn } from '../../../relayer/withdrawals/follow-request.ts'
import type { RequestProgress, RequestStatus } from '../../../relayer/withdrawals/withdrawals.ts'

const at = (requestId: string, status: RequestStatus, txHash: string | null = null): RequestProgress => ({
  requestId,
  chainId: 1,
  status,
  txHash: txHash as RequestProgress['txHash'],
  error: null,
  updatedAt: 0,
})

test.each<[string, boolean, RequestProgress | null, RequestProgress]>([
  ['the first step', true, null, at('a', 'received')],
  ['the next step', true, at('a', 'verified'), at('a', 'simulated')],
  ['a step twice', false, at('a', 'verified'), at('a', 'verified')],
  ['a step that was overtaken', false, at('a', 'broadcast'), at('a', 'simulated')],
  ['the hash of a transaction', true, at('a', 'broadcast'), at('a', 'broadcast', '0x1')],
  ['the hash of its replacement', true, at('a', 'broadcast', '0x1'), at('a', 'broadcast', '0x2')],
  ['a hash that is forgotten', false, at('a', 'broadcast', '0x1'), at('a', 'broadcast')],
  ['the failure', true, at('a', 'broadcast'), at('a', 'failed')],
  ['a copy that has come as far', false, at('a', 'verified'), at('b', 'verified')],
  ['a copy that has come further', true, at('a', 'verified'), at('b', 'simulated')],
  ['the failure of another request', false, at('a', 'received'), at('b', 'failed')],
])('%s leads on: %s', (_, expected, last, next) => {
  expect(leadsOn(next, last)).toBe(expected)
})
