import { useState } from 'react'
import { formatUnits } from 'viem'
import type { BalanceEntry } from '../session/answers.ts'
import { TEXTS } from '../texts.ts'
import { Choice, Field } from './field.tsx'
import { formatToken, parseAmount } from './format.ts'
import { useTask } from './use-task.ts'

/** A token on a chain with what can be taken of it. */
export type Asset = Pick<
  BalanceEntry,
  'id' | 'chainId' | 'chainName' | 'tokenAddress' | 'tokenSymbol' | 'decimals' | 'available'
>

/** The token of an asset, for amounts in words. */
export const tokenOf = ({ tokenAddress: address, tokenSymbol: symbol, decimals }: Asset) => ({
  address,
  symbol,
  decimals,
})

/** The state of the two fields: a chosen asset, and a written amount. */
export interface AssetAmount<One extends Asset> {
  assets: readonly One[]
  /** Undefined where there is none to choose. */
  asset: One | undefined
  /** In the smallest unit; null where the text is no amount. */
  amount: bigint | null
  /** In words; null where the amount can be asked for. */
  error: string | null
  text: string
  choose: (id: string) => void
  write: (text: string) => void
}

/** @param preferred Finds the asset that is chosen at first. */
export function useAssetAmount<One extends Asset>(
  assets: readonly One[],
  written = '',
  preferred: (asset: One) => boolean = () => false,
): AssetAmount<One> {
  const [assetId, choose] = useState<string | null>(null)
  const [text, write] = useState(written)
  const asset = assets.find(({ id }) => id === assetId) ?? assets.find(preferred) ?? assets[0]
  const amount = asset ? parseAmount(text, asset.decimals) : null
  return { assets, asset, amount, error: asset ? findError(amount, asset) : null, text, choose, write }
}

function findError(amount: bigint | null, asset: Asset): string | null {
  if (amount === null) return TEXTS.send.badAmount
  return amount > BigInt(asset.available)
    ? TEXTS.send.tooMuch(formatToken(asset.available, tokenOf(asset), { whole: true }))
    : null
}

/** The two fields of an amount: of what, and how much. */
export function AssetAmountFields<One extends Asset>({
  value: { assets, asset, text, error, choose, write },
  isTried,
  assetLabel,
  amountLabel = TEXTS.send.amount,
  findMost,
}: {
  value: AssetAmount<One>
  isTried: boolean
  assetLabel: string
  amountLabel?: string
  /** The most that can be taken after fees, in the smallest unit; without it no button takes it. */
  findMost?: (asset: One) => Promise<string>
}) {
  const most = useTask()
  if (!asset) return null
  const shown = isTried ? error : most.failure
  return (
    <>
      <Choice
        label={assetLabel}
        value={asset.id}
        options={assets.map((one) => ({
          value: one.id,
          text: `${formatToken(one.available, tokenOf(one))} · ${one.chainName}`,
        }))}
        onChoose={choose}
      />
      <Field
        label={amountLabel}
        inputMode="decimal"
        value={text}
        className="big"
        hint={TEXTS.send.available(formatToken(asset.available, tokenOf(asset)))}
        error={shown}
        {...(findMost && {
          after: (
            <button
              type="button"
              className="most"
              aria-label={TEXTS.send.mostLabel}
              disabled={most.isRunning}
              onClick={() =>
                most.run(async () => write(formatUnits(BigInt(await findMost(asset)), asset.decimals)))
              }
            >
              {TEXTS.send.most}
            </button>
          ),
        })}
        onChange={(event) => write(event.target.value)}
      />
    </>
  )
}
