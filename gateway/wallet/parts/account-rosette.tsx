import { hexToBytes, keccak256, stringToBytes } from 'viem'
import { Rosette } from './rosette.tsx'

/** The figure of an account: the same everywhere, and another for each. */
export const AccountRosette = ({
  accountId,
  ...drawn
}: {
  accountId: string
  size: number
  label?: string
}) => <Rosette figure={[...hexToBytes(keccak256(stringToBytes(accountId)))]} {...drawn} />
