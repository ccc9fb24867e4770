import { z } from 'zod'
import { address } from '../define/scalars.ts'
import { described } from '../define/shape.ts'

// Members that identify the token of an amount.

export const chainName = described(z.string(), 'Name of the chain, as the operator configured it.')
export const tokenAddress = described(address, 'Contract of the token; the zero address is the native coin.')
export const tokenSymbol = described(
  z.string(),
  'Symbol of the token; empty where neither a list nor its contract tells one.',
)
export const decimals = described(
  z.int().nonnegative(),
  'Decimals of the token: a whole token is 10^decimals smallest units.',
)
export const logoUrl = described(z.string().nullable(), 'URL of a picture of the token; null without one.')
