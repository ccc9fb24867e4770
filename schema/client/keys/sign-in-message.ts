// SPDX-License-Identifier: MIT
import type { Address } from 'viem'
import { createSiweMessage } from 'viem/siwe'

/** Terms of a sign-in message. */
export interface SignInTerms {
  /** Host at which the user signs in, with its port; the service has to allow it. */
  domain: string
  address: Address
  /** The service's nonce, good for one sign-in within five minutes. */
  nonce: string
}

/**
 * Writes the message that signs in (EIP-4361). The wallet writes all of it: it signs no text of the service.
 * @throws Error for a nonce with anything but letters and digits, which could add lines.
 */
export function createSignInMessage({ domain, address, nonce }: SignInTerms): string {
  const scheme = /^(?:localhost|127\.|\[)/.test(domain) ? 'http' : 'https'
  return createSiweMessage({
    domain,
    address,
    uri: `${scheme}://${domain}`,
    version: '1',
    chainId: 1,
    nonce,
  })
}
