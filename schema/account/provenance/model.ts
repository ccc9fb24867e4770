import { z } from 'zod'
import { address, chainId } from '../../define/scalars.ts'
import { described, shape } from '../../define/shape.ts'
import { writtenOnce } from '../../define/text-writer.ts'
import { provenanceSource, transferIndex, txHash } from './source-model.ts'

const count = z.int()

const status = described(
  z.enum(['resolved', 'unavailable']),
  'resolved: the chain shows where the funds came from. unavailable: it does not, and `unresolvedReasons` say why.',
  { id: 'ProvenanceStatus' },
)

const groupId = (what: string) =>
  described(z.string().nullable(), `Entry of \`provenanceLabelGroups\` that holds ${what}; null without any.`)

const olderFundsCount = described(
  count,
  'Parts of the funds that came before the service issued the address, or by ways that no node shows, or from such parts.',
)

const REASONS =
  'history_incomplete: the past of the address, or of one that it is joined with, is still being read. untraced_native: nodes of the chain do not show all moves of native coins. holding_stale: the balance could not be read. too_much_history: more transfers than the service reads. too_many_sources: more than 64. passed_through: the transaction left nothing of the token at the address and took nothing from it. pool_spend: paid out of a pool; the service does not join a note with its deposit.'

const unresolvedReasons = described(
  z.array(z.string()),
  `Keys for programs, empty where all is known. ${REASONS}`,
  { examples: [['history_incomplete']] },
)
const sourceCount = described(count, 'Distinct sources that the funds came from.')

const evidence = shape('PrivacyProviderEvidence', 'Events on chain that prove the origin.', {
  chainId,
  txHash,
  transferOrLogIndex: transferIndex,
  receiveFromAddress: described(
    address,
    'Address that the transfer came from: the same as `entrypointAddress`, which takes the payment from the pool.',
  ),
  poolAddress: described(address, 'Contract of the pool, which emitted `Withdrawn` in the transaction.'),
  entrypointAddress: described(
    address,
    'Entrypoint contract of that pool, which emitted `WithdrawalRelayed` with the asset, the amount and the fee.',
  ),
  poolTransferOrLogIndex: described(
    z.int().nonnegative().nullable(),
    'Index of the pool’s `Withdrawn` event in its block; null where none was found.',
  ),
})

const outputSystemTag = shape('OutputSystemTag', 'A fact about the origin that the chain proves.', {
  type: described(z.literal('privacy-provider-origin'), 'Kind of tag: paid out by a privacy provider.'),
  provider: described(z.string(), 'Privacy provider that paid, for example `privacy-pools`.'),
  text: described(z.string(), 'The tag in English, to show to a person.'),
  explanationKey: described(
    z.literal('privacy_provider_origin'),
    'Key by which a client looks up its own explanation.',
  ),
  evidence,
})

const displayContext = shape('ProvenanceDisplayContext', 'Why the origin is shown as it is.', {
  reason: described(
    z.enum([
      'fresh_receive',
      'platform_action_output',
      'mixed_current_outputs',
      'carried_source',
      'older_funds',
      'unavailable',
    ]),
    'The sources of the funds, first in, first out. fresh_receive: outside money at this address. platform_action_output: brought by an action of the account, such as a swap, or out of a pool. carried_source: moved here from the account’s own addresses. mixed_current_outputs: several of these, or several sources.',
    { id: 'ProvenanceReason' },
  ),
  currentOutputCount: described(
    count,
    'Parts that make up the funds; likely spam counts where there is nothing else.',
  ),
  sourceCount,
  actionTypes: described(
    z.array(z.string()),
    'Kinds of the account’s own activity that brought the parts, each once; empty where others paid.',
  ),
})

const funding = shape('ProvenanceFunding', 'The ultimate sources of the money.', {
  labelGroupId: groupId('the sources'),
  olderFundsCount,
  unresolvedReasons,
})

const associationSummary = shape('ProvenanceAssociationSummary', 'How many sources there are of each kind.', {
  sourceCount: described(count, 'Sources that an observer can join the address with; its own is one.'),
  userTaggedSourceCount: described(count, 'Sources whose address the user has tagged.'),
  untaggedSourceCount: described(count, 'Sources whose address has no tag.'),
  olderFundsCount: described(
    count,
    '1 when such older funds are among them, otherwise 0: they are not distinguished.',
  ),
  unknownCount: described(
    count,
    'Reasons for which sources may be missing: the number of `unresolvedReasons`.',
  ),
})

const association = shape(
  'ProvenanceAssociation',
  'Which sources an observer of the chain can join the address with, whatever it holds now. Addresses of the account that paid each other, or paid in one transaction, stay joined for ever.',
  {
    status: described(
      z.enum(['clean', 'linked', 'unknown']),
      'clean: at most one source. linked: several. unknown: sources may be missing.',
      { id: 'ProvenanceAssociationStatus' },
    ),
    labelGroupId: groupId('all these sources'),
    olderFundsCount: associationSummary.shape.olderFundsCount,
    unresolvedReasons,
    ignoredUnsolicitedCount: described(
      count,
      'Receipts of this address that count as no source, because the account did not ask for them: likely spam, or less than a cent. Transfers of nothing are not counted.',
    ),
    summary: associationSummary,
  },
)

const display = shape('ProvenanceDisplay', 'Texts and badge for a client to show.', {
  badgeKind: described(
    z.enum(['tagged', 'mixed', 'older_funds', 'unknown', 'untagged']),
    'unknown: the origin is unavailable. older_funds: all is older. tagged: every source has a tag. mixed: several sources, or one and older funds. untagged: one source.',
    { id: 'ProvenanceBadge' },
  ),
  label: described(
    z.string().nullable(),
    'Text of the badge in English; null where the user’s tags say it, which the client decrypts, and where nothing is to be said.',
  ),
  fundingLabel: described(
    z.string().nullable(),
    'How the money came, in English; null where the user’s tags say it.',
  ),
  associationLabel: described(
    z.string().nullable(),
    'Parties that an observer can connect the address with, in English; null if there is none.',
  ),
})

/** The origin of funds. */
export const provenance = writtenOnce(
  shape(
    'Provenance',
    'The origin of funds, as far as the chain shows it. First in, first out is a convention to show parts of a balance; what an observer joins is the address, which `association` tells.',
    {
      status,
      outputSystemTags: described(
        z.array(outputSystemTag),
        'Parts of the funds that the chain proves to be paid out of a pool; empty without any.',
      ),
      sourceLabelGroupId: groupId(
        'the account’s addresses that the funds came from at once, or arrived at from outside',
      ),
      olderFundsCount,
      unresolvedReasons,
      displayContext,
      funding,
      association,
      display,
      editableSource: described(
        provenanceSource.nullable(),
        'The only source of the funds; null where there is none, or several.',
      ),
    },
  ),
)
