import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  isPayeeRegistered,
  registerPayee,
} from '../../../../../../relayer/transact/venues/cash-out/peer/ask-curator.ts'
import { payeeHash, startCurator, type Curator } from './start-curator.ts'

let curator: Curator
const asked = (timeoutMs = 30_000) => ({ url: curator.url, timeoutMs })
const HANDLE = 'somebody@example.org'
const payee = { paymentMethod: 'venmo', handle: HANDLE }

beforeAll(async () => {
  curator = await startCurator()
})
afterAll(() => curator?.stop())
beforeEach(() => {
  curator.answer = null
  curator.refused.clear()
  curator.asked.splice(0)
})

it('a payee is registered by method and handle, and known by its hash until it is refused', async () => {
  const payeeDetails = await registerPayee(asked(), payee)
  expect(payeeDetails).toBe(payeeHash('venmo', HANDLE))
  expect(await registerPayee({ ...asked(), url: `${curator.url}/` }, payee)).toBe(payeeDetails)
  const known = { paymentMethod: 'venmo', payeeDetails }
  expect(await isPayeeRegistered(asked(), known)).toBe(true)
  curator.refused.add(HANDLE)
  expect(await isPayeeRegistered(asked(), known)).toBe(false)
  await expect(registerPayee(asked(), payee)).rejects.toMatchObject({ code: 'PAYEE_REFUSED' })
})

it('a late, too long, non-JSON or hashless answer makes the venue unavailable, without quoting its words', async () => {
  const hash = payeeHash('venmo', HANDLE)
  for (const [what, answer] of Object.entries({
    nothing: null,
    'no JSON': { status: 200, body: `<html>${HANDLE}` },
    'a failure': { status: 500, body: HANDLE },
    'a redirect': { status: 302, body: '' },
    'no success': { status: 200, body: `{"success":false,"responseObject":{"hashedOnchainId":"${hash}"}}` },
    'a short hash': { status: 200, body: '{"success":true,"responseObject":{"hashedOnchainId":"0x12"}}' },
    'too much': { status: 200, body: `{"success":true,"more":"${'x'.repeat(20_000)}"}` },
  })) {
    curator.answer = () => answer
    const refusal: unknown = await registerPayee(asked(answer ? 30_000 : 500), payee).catch(
      (error: unknown) => error,
    )
    expect(refusal, what).toMatchObject({ code: 'CASH_OUT_UNAVAILABLE' })
    for (let cause: unknown = refusal; cause instanceof Error; cause = cause.cause)
      expect(`${cause.message} ${cause.stack}`, what).not.toContain(HANDLE)
  }
  curator.answer = () => ({ status: 503, body: '' })
  const about = { paymentMethod: 'venmo', payeeDetails: hash }
  await expect(isPayeeRegistered(asked(), about)).rejects.toMatchObject({ code: 'CASH_OUT_UNAVAILABLE' })
})
