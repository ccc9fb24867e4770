import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { ServiceRefusal, type Client } from 'stealth-relay/client'
import { PAYMENT, useAnswer, useOrder, WalletProvider } from 'stealth-relay/client/react'
import { formatUnits, zeroAddress, type Address } from 'viem'

interface Terms {
  chainId: number
  amount: bigint
  destination: Address
}
const cache = new QueryClient()

export const PaymentPage = ({ client, terms }: { client: Client; terms: Terms }) => (
  <QueryClientProvider client={cache}>
    <WalletProvider client={client}>
      <Balances chainId={terms.chainId} />
      <Payment terms={terms} />
    </WalletProvider>
  </QueryClientProvider>
)

function Balances({ chainId }: { chainId: number }) {
  // Any reading operation; read again when an event of the account makes it outdated.
  const { data, error } = useAnswer('accountChainBalance', { path: { chainId } })
  if (error) return <Failure error={error} />
  return data?.balances.map(({ token, tokenSymbol, decimals, visible }) => (
    <p key={token}>{`${formatUnits(BigInt(visible.available), decimals)} ${tokenSymbol}`}</p>
  ))
}

function Payment({ terms }: { terms: Terms }) {
  // An offer reserves funds: another `ask`, `drop`, or leaving the page gives them back.
  const { ask, offer, confirm, isBusy, txHash, error } = useOrder(PAYMENT)
  if (error) return <Failure error={error} />
  if (txHash) return <p>{`Paid: ${txHash}`}</p>
  if (isBusy) return <p>One moment</p>
  if (offer) return <button onClick={confirm}>{`Pay a fee of ${formatUnits(offer.fee, 18)} ETH`}</button>
  return <button onClick={() => ask({ ...terms, token: zeroAddress })}>Pay</button>
}

const Failure = ({ error }: { error: Error }) => (
  <p role="alert">{(error instanceof ServiceRefusal && error.body?.message) || error.message}</p>
)
