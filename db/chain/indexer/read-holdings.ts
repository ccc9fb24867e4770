import type { CommonQueryMethods } from 'slonik'
import { sql } from '../../connect-database.ts'
import { holdingRow, type HoldingRow } from './rows.ts'

const columns = sql.fragment`
  chain_id as "chainId", address, standard, token, token_id as "tokenId", amount, stale,
  as_of_number as "asOfNumber", as_of_hash as "asOfHash"`

/** Native coins and ERC-20s of the addresses on every chain. Never a row for nothing, except a stale one. */
export function readHoldings(
  connection: CommonQueryMethods,
  addresses: readonly string[],
): Promise<readonly HoldingRow[]> {
  return connection.any(sql.type(holdingRow)`
    select ${columns} from holding
    where address = any(${sql.array(addresses, 'text')}) and standard in ('native', 'erc20') and (amount > 0 or stale)
    order by chain_id, token, address`)
}

/** ERC-721s and ERC-1155s of the addresses, with how many of each id. */
export function readNftHoldings(
  connection: CommonQueryMethods,
  addresses: readonly string[],
): Promise<readonly HoldingRow[]> {
  return connection.any(sql.type(holdingRow)`
    select ${columns} from holding
    where address = any(${sql.array(addresses, 'text')}) and standard in ('erc721', 'erc1155') and (amount > 0 or stale)
    order by chain_id, token, token_id, address`)
}

/** Native coins and ERC-20s of all addresses of an account. */
export function readAccountHoldings(
  connection: CommonQueryMethods,
  accountId: string,
  chainId: number | null = null,
): Promise<readonly HoldingRow[]> {
  return connection.any(sql.type(holdingRow)`
    select ${columns} from holding join stealth_address using (address)
    where account_id = ${accountId}::uuid and standard in ('native', 'erc20') and (amount > 0 or stale)
      and (${chainId}::bigint is null or chain_id = ${chainId}::bigint)
    order by chain_id, token, derivation_nonce`)
}
