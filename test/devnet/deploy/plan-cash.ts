import { encodeDeployData, type Hex } from 'viem'
import { hashOfName } from '../../../relayer/chain/contracts/peer-escrow.ts'
import type { DevnetAccounts } from '../accounts.ts'
import type { ContractBuild } from '../build/contract-build.ts'
import { CASH_LIMITS, CASH_METHODS, CASH_RATES } from './devnet-cash.ts'
import { addressOf } from './devnet-addresses.ts'

/** The steps that create the escrow for cash-outs, the orchestrator of its buyers, and a price feed. */
export function planCash(
  build: Pick<ContractBuild, 'CashRates' | 'CashOrchestrator' | 'CashEscrow'>,
  { deployer, witness }: Pick<DevnetAccounts, 'deployer' | 'witness'>,
): Record<'CashRates' | 'CashOrchestrator' | 'CashEscrow', { data: Hex }> {
  const create = (name: keyof typeof build, ...args: readonly unknown[]) => ({
    data: encodeDeployData({ abi: build[name].abi, bytecode: build[name].bytecode, args }),
  })
  return {
    CashRates: create(
      'CashRates',
      CASH_RATES.map(({ adapterConfig }) => adapterConfig),
      CASH_RATES.map(({ rate }) => rate),
    ),
    CashOrchestrator: create('CashOrchestrator', addressOf('CashEscrow', deployer.address), witness.address),
    CashEscrow: create(
      'CashEscrow',
      addressOf('CashOrchestrator', deployer.address),
      deployer.address,
      CASH_LIMITS,
      CASH_METHODS.map(({ name }) => hashOfName(name)),
      CASH_METHODS.map(({ currencies }) => currencies.map(hashOfName)),
    ),
  }
}
