import { expect, test } from 'vitest'
import { createAppRegistry } from '../../../../relayer/account/apps/app-registry.ts'
import { appsConfig, isAppOrigin } from '../../../../relayer/account/apps/config.ts'

test.each([
  'https://app.example',
  'https://app.example:8443',
  'https://xn--mnchen-3ya.example',
  'http://localhost:3000',
  'https://localhost',
])('%s is the origin of an app', (origin) => {
  expect(isAppOrigin(origin, { loopback: false })).toBe(true)
})

test.each([
  ['a path', 'https://app.example/'],
  ['a default port', 'https://app.example:443'],
  ['upper case', 'https://App.example'],
  ['no encryption', 'http://app.example'],
  ['a user', 'https://user@app.example'],
  ['a user that looks like a host', 'https://app.example@evil.example'],
  ['a host that is not in punycode', 'https://münchen.example'],
  ['a look-alike of another script', 'https://аpp.example'],
  ['a trailing dot', 'https://app.example.'],
  ['no dot', 'https://intranet'],
  ['an IPv4 address', 'https://93.184.216.34'],
  ['an IPv4 address in one number', 'https://1572395042'],
  ['an IPv6 address', 'https://[2001:db8::1]'],
  ['127.0.0.1 outside a devnet', 'http://127.0.0.1:3000'],
  ['another scheme', 'chrome-extension://abcdefgh'],
  ['a script', 'javascript:alert(1)'],
  ['null', 'null'],
  ['a control character', 'https://app.example\u0000'],
  ['spaces around', ' https://app.example'],
  ['more than 255 characters', `https://${'a.'.repeat(130)}example`],
])('%s is no origin of an app', (_, origin) => {
  expect(isAppOrigin(origin, { loopback: false })).toBe(false)
})

test('pages of 127.0.0.1 are apps on a devnet', () => {
  expect(isAppOrigin('http://127.0.0.1:3000', { loopback: true })).toBe(true)
})

test('an app is recognised by exactly its origin, and a blocked one is refused whatever else is listed about it', () => {
  const registry = createAppRegistry(
    appsConfig.parse({
      recognised: [
        { origin: 'https://app.example', displayName: 'The App', iconUrl: 'https://app.example/icon.svg' },
        { origin: 'https://bad.example', displayName: 'Bad' },
      ],
      blocked: ['https://bad.example'],
    }),
    { loopback: false },
  )
  expect(registry.demand('https://app.example')).toMatchObject({
    displayName: 'The App',
    recognitionStatus: 'recognised',
    verified: true,
  })
  expect(registry.demand('https://app.example:8443')).toEqual({
    origin: 'https://app.example:8443',
    displayName: 'app.example:8443',
    iconUrl: null,
    recognitionStatus: 'unknown',
    verified: false,
  })
  expect(registry.describe('https://bad.example')).toMatchObject({
    recognitionStatus: 'blocked',
    verified: false,
  })
  expect(registry.name('no origin')).toEqual({ origin: 'no origin', displayName: 'no origin', iconUrl: null })
  expect(() => registry.demand('https://bad.example')).toThrow(
    expect.objectContaining({ code: 'APP_BLOCKED' }),
  )
  expect(() => registry.demand('https://App.example')).toThrow(
    expect.objectContaining({ code: 'BAD_REQUEST' }),
  )
})
