// SPDX-License-Identifier: MIT
import type { Client } from './open-client.ts'

/** @returns The name in stored form, below the service's parent name. @throws Error where it is taken or blocked. */
export async function claimName(client: Client, name: string): Promise<string> {
  const path = `/v1/accounts/${client.accountId}/subdomain`
  return (await client.ask<{ subdomain: string }>('POST', path, { subdomain: name })).subdomain
}
