import type { z } from 'zod'
import type { Contact } from '../../../relayer/account/address-book/address-book.ts'
import type * as model from './model.ts'

export function contactToWire(contact: Contact): z.input<typeof model.contact> {
  return {
    ...contact,
    lastUsedAt: contact.lastUsedAt?.toISOString() ?? null,
    createdAt: contact.createdAt.toISOString(),
    updatedAt: contact.updatedAt.toISOString(),
  }
}
