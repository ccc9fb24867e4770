import { chainNotSupported } from '../../../relayer/chain/errors.ts'
import { serverBusy, badRequest } from '../../../relayer/errors.ts'
import {
  WARNINGS,
  type SimulationRequest,
  type WarningCode,
} from '../../../relayer/inspect/simulation/simulation.ts'
import { defineOperation } from '../../define/operation.ts'
import { accountForbidden } from '../../define/errors.ts'
import { size, type Address } from 'viem'
import { z } from 'zod'
import { address, amount, bytes, chainId } from '../../define/scalars.ts'
import { described, shape } from '../../define/shape.ts'

const MAX_CALLS = 16
/** Total of all calls: in hex it fills the largest body that the gateway accepts. */
const MAX_DATA_BYTES = 122_880

/** Wei, as wallets write it: decimal digits, or hex. */
const wei = z.codec(
  z
    .string()
    .regex(/^(?:0|[1-9][0-9]{0,77}|0x[0-9a-fA-F]{1,64})$/, {
      error: 'expected wei: decimal digits, or 0x and hex digits',
      abort: true,
    })
    .refine((text) => BigInt(text) < 1n << 256n, 'expected wei below 2^256')
    .meta({ examples: ['0'] }),
  z.bigint(),
  { decode: BigInt, encode: String },
)

const call = shape('SimulatedCall', 'One call to simulate.', {
  to: described(address, 'The contract or person that is called.'),
  value: described(wei.optional(), 'Wei that the call carries, decimal or hex; 0 unless given.'),
  data: described(bytes.optional(), 'Calldata, at most 122,880 bytes in all; empty unless given.'),
})

const simulateBody = shape('SimulateBody', 'Calls to simulate.', {
  chainId,
  from: described(address, 'The caller: any address.'),
  to: described(address.optional(), 'The contract or person that is called. Needed without `calls`.'),
  value: described(wei.optional(), 'Wei that the call carries, decimal or hex; 0 unless given.'),
  data: described(bytes.optional(), 'Calldata, at most 122,880 bytes in all; empty unless given.'),
  calls: described(
    z.array(call).min(1).max(MAX_CALLS).optional(),
    'In place of `to`, `value` and `data`: up to 16 calls on one state, in their order, all or nothing.',
  ),
})

/**
 * The calls of a request.
 * @throws ServiceError `bad-request` for no calls, both forms, or too much calldata.
 */
function readCalls(body: z.output<typeof simulateBody>): SimulationRequest {
  const { chainId: chain, from, to, value, data, calls } = body
  const isSingle = to !== undefined || value !== undefined || data !== undefined
  if (calls && isSingle) throw badRequest('body.calls: expected either calls, or to, value and data')
  if (!calls && to === undefined) throw badRequest('body.to: is required (string)')
  const asked = (calls ?? [{ to: to as Address, value, data }]).map((one) => ({
    to: one.to,
    value: one.value ?? 0n,
    data: one.data ?? '0x',
  }))
  if (asked.reduce((sum, one) => sum + size(one.data), 0) > MAX_DATA_BYTES)
    throw badRequest(`body.data: expected at most ${MAX_DATA_BYTES} bytes in all`)
  return { chainId: chain, from, calls: asked }
}

const token = shape('SimulatedToken', 'The asset of a change.', {
  address: described(address, 'Its contract, checksummed; the zero address is the native coin.'),
  symbol: described(z.string().nullable(), 'Its symbol; null where it is not known.'),
  decimals: described(
    z.int().nullable(),
    'Its decimals; null where they are not known, and for collectibles.',
  ),
  name: described(z.string().nullable(), 'Its name; null where it is not known.'),
})

const assetChange = shape('SimulatedAssetChange', 'A movement of an asset, or leave to move it.', {
  intentIndex: described(z.int(), 'Always 0: one intent is simulated.'),
  callIndex: described(z.int(), 'Place of the call that made it.'),
  type: described(
    z.enum(['transfer', 'mint', 'burn', 'approval', 'approval_for_all']),
    'mint, burn: from or to the zero address. approval: leave to take an amount, or one collectible. approval_for_all: of every token of a collection; `rawAmount` 0 takes it back.',
    { id: 'SimulatedChangeType' },
  ),
  standard: described(
    z.enum(['native', 'erc20', 'erc721', 'erc1155']),
    'Kind of the asset. From the event of an `approval_for_all` it does not show whether a collection is of ERC-721 or ERC-1155: erc721 is answered.',
    { id: 'SimulatedStandard' },
  ),
  token: described(token, 'The asset.'),
  from: described(address, 'Former holder; of an approval the owner.'),
  to: described(address, 'Present holder; of an approval who may take it.'),
  amount: described(z.string().nullable(), 'For people, by the token’s decimals; null without these.'),
  rawAmount: described(amount, 'In the smallest unit; 1 for a collectible.'),
  tokenId: described(z.string().nullable(), 'Number of a collectible, in decimal digits; null for others.'),
  unlimited: described(z.boolean(), 'True for an approval without a limit that anybody could reach.'),
})

const warning = shape('SimulationWarning', 'Facts to show before signing.', {
  code: described(
    z.enum(Object.keys(WARNINGS) as [WarningCode, ...WarningCode[]]),
    Object.entries(WARNINGS)
      .map(([code, meaning]) => `${code}: ${meaning}`)
      .join(' '),
    { id: 'SimulationWarningCode' },
  ),
  message: described(z.string(), 'The same in words.'),
  address: described(address.nullable(), 'The address that it is about; null where it is about the whole.'),
})

const simulation = shape(
  'Simulation',
  'How calls would end: `success`; they would fail, with `failureReason`; or the end is unknown, with `error`.',
  {
    success: described(z.boolean(), 'True when all calls would succeed.'),
    provider: described(
      z.string(),
      '`evm`: our own EVM, which compares balances. `rpc-simulate`: the chain’s node. `rpc-call`: no simulator was available.',
    ),
    gasUsed: described(
      amount.nullable(),
      'Gas of all calls together, each as a transaction; null where it is not known.',
    ),
    failureReason: described(
      z.string().nullable(),
      'Why the calls would fail, one line for people; null unless they would.',
    ),
    assetChangesComplete: described(
      z.boolean(),
      'True when balances and allowances before and after were compared, and nothing else moved. Only for one call that takes little gas.',
    ),
    assetChanges: described(
      z.array(assetChange),
      'At most 500; movements of each call before its approvals.',
    ),
    error: described(
      z.string().nullable(),
      'Reason why the end of the calls is unknown: `SIMULATION_LIMIT: …` or `NODE_REFUSED: …`; else null.',
    ),
    warnings: described(z.array(warning), 'Facts to show before signing.'),
    blockNumber: described(
      amount.nullable(),
      'Block in which the calls were run; null if the node does not report it.',
    ),
  },
)

export const simulationOperations = [
  defineOperation({
    name: 'simulate',
    kind: 'query',
    rest: 'POST /v1/simulate',
    status: 200,
    access: 'bearer',
    limit: 60,
    errors: [accountForbidden, chainNotSupported, serverBusy],
    section: 'Before signing',
    summary: 'Effects of calls',
    description:
      'Runs one call, or up to 16 in order, on the newest state: the movements, the approvals and the warnings. They run without a gas price and with `from` as the origin; ENVIRONMENT_READ reports a contract that read these. Nothing of the request is stored or logged, and only the chain’s node is asked. 403 also for a token without an account.',
    input: { body: simulateBody },
    output: simulation,
    run: async ({ body }, { services, principal }) => {
      if (!principal?.accountId) throw accountForbidden()
      const { warnings, assetChanges, ...ended } = await services.simulations.simulate(
        principal.accountId,
        readCalls(body),
      )
      return {
        ...ended,
        assetChanges: assetChanges.map((change) => ({
          ...change,
          intentIndex: 0,
          tokenId: change.tokenId === null ? null : String(change.tokenId),
        })),
        warnings: warnings.map((warning) => ({ ...warning, message: WARNINGS[warning.code] })),
      }
    },
  }),
]
