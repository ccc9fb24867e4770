import { encodeFunctionData, erc20Abi, parseEther, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { Operation } from '../../../schema/define/operation.ts'
import { askSample } from '../../harness/ask-sample.ts'
import { post } from '../../harness/call.ts'
import { signUnchecked } from '../../harness/sign-unchecked.ts'
import { precommitmentsFrom } from '../../relayer/transact/kinds/pool-deposit/start-deposit-world.ts'
import type { Quote } from '../../../schema/client/quotes/send.ts'
import type { Holder, NodeWorld } from './start-node-world.ts'

const CHAIN = 31_337
const OTHER_CHAIN = 31_338

/** Something that a client does. */
export interface Act {
  name: string
  /** It concerns an account. */
  isOfAccount: boolean
  run(): Promise<Done>
}

/** How it was answered, and which addresses it joins by its nature, if any, from when on. */
export interface Done {
  status: number
  joins?: { addresses: readonly string[]; at: number }
  /** The recipient of a quote that was not submitted. */
  unpaid?: string
}

/** Every operation of the table, with an input of the right types that names addresses of the account. */
export const actsOfTable = (
  { service, token }: NodeWorld,
  operations: readonly Operation[],
  { client, headers, tokens, coins, collectibles }: Holder,
): Act[] =>
  operations.map((operation) => ({
    name: operation.rest,
    isOfAccount: operation.access !== 'public',
    run: async () => {
      const known = {
        accountId: client.accountId,
        chainId: CHAIN,
        token,
        address: coins[0],
        depositAddress: collectibles[0],
        recipientAddress: nobody(),
        assetAddress: token,
        destinationAddress: nobody(),
        type: 'send',
        amount: String(parseEther('1')),
        tokenId: '1',
      }
      const bodies = {
        'POST /v1/simulate': {
          chainId: CHAIN,
          from: tokens[0],
          to: token,
          data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [token, 7n] }),
        },
      }
      return askSample(service.url, operation, { client, known, bodies, headers })
    },
  }))

/** Acts that no single operation shows: requests that concern several addresses, and some that go together. */
export function actsOfSeveral(world: NodeWorld, holder: Holder): Act[] {
  const { service, token, wrapped } = world
  const { client, headers, tokens, coins } = holder
  const ask = askerOf(world, holder)
  const quote = async (body: object) => {
    const answer = await ask('/quote', { chainId: CHAIN, ...body })
    if (answer.status === 200) await ask('/unlock', { quoteId: answer.body.quoteId })
    return answer
  }
  const send = sendOf(token)
  const document = async (fields: readonly string[]) => {
    const query = `{ account(accountId: "${client.accountId}") { ${fields.join(' ')} } }`
    const { json } = await post(
      `${service.url}/graphql`,
      { query },
      { authorization: `Bearer ${client.token}`, ...headers },
    )
    return { status: json?.['errors'] ? 400 : 200 }
  }
  const kindOf = (address: string, index: number) =>
    `k${index}: recipientAddressKind(chainId: ${CHAIN}, address: "${address}") { kind }`
  const maxOf = (of: { chainId: number; token: string }, index: number) =>
    `m${index}: maxSpendable(input: { chainId: ${of.chainId}, token: "${of.token}" }) { maxAmount }`
  return [
    act('max-spendable of tokens', () => ask('/max-spendable', { chainId: CHAIN, token })),
    act('max-spendable of coins', () => ask('/max-spendable', { chainId: CHAIN, token: zeroAddress })),
    act('max-spendable of deposits', () =>
      ask('/max-spendable', { chainId: CHAIN, token: zeroAddress, type: 'pool_deposit' }),
    ),
    act('two max-spendable in one document', () =>
      document(
        [
          { chainId: CHAIN, token },
          { chainId: OTHER_CHAIN, token: world.payers[1].chain.tokens[1]!.address },
        ].map(maxOf),
      ),
    ),
    act('two recipients in one document', () => document([coins[0]!, tokens[1]!].map(kindOf))),
    act('a quote without the funds', () => quote({ ...send, amount: ether(1_000) })),
    act('a quote whose fees are missing', () => quote({ ...send, amount: ether(30) })),
    act('a joined quote that is not submitted', async () => {
      const unpaid = nobody()
      const { status } = await quote({ ...send, destinationAddress: unpaid, amount: ether(15) })
      return { status, unpaid }
    }),
    act('a quote of a conversion from two addresses', () => quote(conversionOf(holder))),
    act('a quote of a send to an own address', () =>
      quote({ ...send, amount: ether(1), destinationAddress: coins[0] }),
    ),
    act('a quote of a swap', () =>
      quote({ type: 'swap', tokenIn: zeroAddress, tokenOut: wrapped, amountIn: ether(1) }),
    ),
  ]
}

/** Acts that spend most of an account's funds: a send and a conversion, each from several addresses. */
export function actsThatSpend(world: NodeWorld, holder: Holder): Act[] {
  const ask = askerOf(world, holder)
  const submit = async (body: object) => {
    const quoted = await ask('/quote', { chainId: CHAIN, ...body })
    if (quoted.status !== 200) throw new Error(`no quote: ${JSON.stringify(quoted.body)}`)
    const signed = await signUnchecked(holder.client, quoted.body)
    const joins = { addresses: signed.intents.map(({ eoa }) => eoa), at: Date.now() }
    return { status: (await ask('/submit', signed)).status, joins }
  }
  return [
    act('a joined send', () => submit({ ...sendOf(world.token), amount: ether(15) })),
    act('a conversion from two addresses', () => submit(conversionOf(holder))),
  ]
}

const act = (name: string, run: Act['run']): Act => ({ name, isOfAccount: true, run })
const ether = (amount: number) => String(parseEther(String(amount)))
const sendOf = (token: string) => ({ type: 'send', token, destinationAddress: nobody() })
const conversionOf = ({ coins }: Holder) => ({
  type: 'pool_deposit',
  token: zeroAddress,
  amount: ether(8),
  spendableAddresses: coins,
  precommitments: precommitmentsFrom(0, 2),
})

/** Sends requests of an account. */
function askerOf({ service }: NodeWorld, { client, headers }: Holder) {
  return async (path: string, body: object): Promise<{ status: number; body: Quote }> => {
    const answer = await fetch(`${service.url}/v1/accounts/${client.accountId}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${client.token}`, ...headers },
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: (await answer.json()) as Quote }
  }
}

const nobody = () => privateKeyToAddress(generatePrivateKey())
