import { badRequest } from '../../../relayer/errors.ts'

/** The place after an address, as opaque text: what it is made of may change. */
export const writeCursor = (derivationNonce: number) =>
  Buffer.from(`after ${derivationNonce}`).toString('base64url')

/** @throws ServiceError `bad-request` for text that no page answered. */
export function readCursor(text: string): number {
  const [, digits] = /^after (\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? []
  if (digits === undefined) throw badRequest('query.cursor: expected the nextCursor of another page')
  return Number(digits)
}
