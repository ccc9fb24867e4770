import {
  CLOSING_GAPS,
  closeFreed,
  eventsOf,
  step,
  type Purpose,
} from '../../../../relayer/chain/broadcast/nonce-machine.ts'
import {
  type NonceEvent,
  type NonceState,
  type Proof,
  stateOf,
  type OutboundFacts,
} from '../../../../relayer/chain/broadcast/nonce-terms.ts'
import { weigh } from '../../../../relayer/chain/broadcast/send-raw.ts'
import type { SendOutcome, SendVerdict } from '../../../../relayer/chain/broadcast/classify-send-error.ts'

/** A signed form of a transaction of ours, or of another holder of the account's key (then `work` is null). */
interface Form {
  work: Work | null
  nonce: number
  delivery: 'unknown' | 'accepted' | 'refused'
}

/** A transaction of the outbox, as its row describes it. */
interface Work {
  name: string
  isFiller: boolean
  isPointless: boolean
  status: OutboundFacts['status']
  nonce: number | null
  minedForm: Form | null
  /** Oldest first; forms with a nonce that was given up stay in the list. */
  forms: Form[]
  refusals: number
}

/** How a node answers a form that it is given. */
type Reply = 'takes it' | 'takes it without a word' | 'cannot be reached' | SendVerdict

const REPLIES: readonly Reply[] = [
  'takes it',
  'takes it without a word',
  'cannot be reached',
  'nonce-taken',
  'outbid',
  'below-minimum',
  'market',
  'busy',
  'funds',
  'invalid',
  'unknown',
]
const MAX_REFUSALS = 2

/** Chooses the next step: a number below `options`. */
export type Choose = (options: number) => number

/**
 * A model of the outbox's surroundings: one signer, two nodes, a chain that may lose blocks, and rows. It has only the
 * parts that nonces depend on. Proofs are assumed to be right; other tests check that nodes prove nothing false.
 */
export class NonceWorld {
  readonly pools: Set<Form>[] = [new Set(), new Set()]
  /** The form that used each nonce. */
  readonly chain: Form[] = []
  /** How many of them are final. */
  final = 0
  readonly works: Work[] = []
  next = 0
  private strangers = 0

  private readonly choose: Choose
  private readonly decide: typeof step

  constructor(choose: Choose, decide: typeof step = step) {
    this.choose = choose
    this.decide = decide
  }

  /** Takes one random step. */
  happen(): void {
    const actions = [
      () => this.enqueue(),
      () => this.assign(),
      () => this.assign(),
      () => this.look(),
      () => this.look(),
      () => this.mine(),
      () => this.mine(),
      () => this.finalize(),
      () => this.reorg(),
      () => this.forget(),
      () => this.review(),
      () => this.checkAgain(),
      () => this.useElsewhere(),
      () => this.closeGaps(),
    ]
    actions[this.choose(actions.length)]!()
    this.check()
  }

  /** The nodes recover, time passes, and no new work arrives. */
  recover(): void {
    const rounds = 4 * (this.works.length + this.strangers) + 8
    for (let round = 0; round < rounds; round += 1) {
      for (const { status } of this.works) if (status === 'queued') this.assign(['takes it', 'takes it'])
      while (this.mine(0));
      this.final = this.chain.length
      this.look(['takes it', 'takes it'])
      this.closeGaps()
      this.check()
    }
  }

  private enqueue(isFiller = false, nonce: number | null = null): Work {
    const work: Work = {
      name: `${isFiller ? 'filler' : 'work'} ${this.works.length}`,
      isFiller,
      isPointless: false,
      status: nonce === null ? 'queued' : 'signed',
      nonce,
      minedForm: null,
      forms: [],
      refusals: 0,
    }
    this.works.push(work)
    if (nonce !== null) this.sign(work)
    return work
  }

  private sign(work: Work): Form {
    const form: Form = { work, nonce: work.nonce!, delivery: 'unknown' }
    work.forms.push(form)
    return form
  }

  /** Signs the oldest transaction of the queue; the instance may end between writing and offering. */
  private assign(replies?: readonly Reply[]): void {
    const work = this.works.find(({ status }) => status === 'queued')
    if (!work || this.ask(work, 'queued', 'assigned').to !== 'offered') return
    work.status = 'signed'
    work.nonce = this.next
    this.next += 1
    this.sign(work)
    if (!replies && this.choose(6) === 0) return
    this.offer(work, 'offered', replies)
  }

  private offer(work: Work, state: NonceState, replies?: readonly Reply[]): void {
    const form = work.forms.at(-1)!
    const before = state
    // A form that was written and is offered beside others, or after a refusal, may be known to nodes from now on.
    if (before === 'offered' && form.delivery === 'refused') form.delivery = 'unknown'
    const said = this.pools.map((pool, place) => this.give(pool, form, replies?.[place]))
    // The instance may end before it receives, or writes down, the answers.
    if (!replies && this.choose(8) === 0) return
    const sent = weigh(said.map(outcomeOf))
    const [reception, verdict] = eventsOf(sent, { refusals: work.refusals, maxRefusals: MAX_REFUSALS })
    if (!reception) return
    const { to } = this.ask(work, before, reception)
    if (to === 'sent' && reception === 'accepted') {
      form.delivery = 'accepted'
      work.status = 'sent'
    }
    if (!verdict) return
    if (form.delivery === 'unknown' && to === 'refused') form.delivery = 'refused'
    if (verdict.startsWith('unknown')) work.refusals += 1
    this.act(work, to, verdict)
  }

  private give(pool: Set<Form>, form: Form, given?: Reply): Reply {
    const reply = given ?? REPLIES[this.choose(REPLIES.length)]!
    const isPossible = this.chain.length <= form.nonce
    const takes = reply === 'takes it' || reply === 'takes it without a word'
    // A refusal with an unknown message may hide that the node accepted the form.
    if (isPossible && (takes || (reply === 'unknown' && this.choose(2) === 0))) pool.add(form)
    return !isPossible && takes ? 'nonce-taken' : reply
  }

  private act(work: Work, state: NonceState, event: NonceEvent): void {
    const now = this.ask(work, state, event)
    if (now.effect === 'replace') {
      this.sign(work)
      this.offer(work, now.to)
    }
    if (now.effect !== 'free-nonce' && now.effect !== 'leave-nonce') return
    if (!this.proves(now.proof, work)) return
    const nonce = work.nonce!
    work.nonce = null
    work.minedForm = null
    work.status = now.to as 'queued' | 'abandoned'
    if (now.effect === 'leave-nonce') this.next = Math.max(this.next, this.chain.length)
    else if (closeFreed(nonce, this.next) === 'fill') this.enqueue(true, nonce)
    else this.next = nonce
  }

  private proves(proof: Proof, { nonce, forms }: Work): boolean {
    if (proof === 'none') return true
    const own = forms.filter((form) => form.nonce === nonce)
    if (proof === 'known-nowhere') return !own.some((form) => this.isKnown(form))
    if (proof === 'counted') return this.chain.length > nonce!
    return this.final > nonce! && !own.includes(this.chain[nonce!]!)
  }

  private isKnown = (form: Form) =>
    this.pools.some((pool) => pool.has(form)) || this.chain[form.nonce] === form

  /** The watcher checks every transaction; receipts may be late. */
  private look(replies?: readonly Reply[]): void {
    for (const work of this.works.slice()) {
      if (work.nonce === null || isOver(work)) continue
      const isSeen = replies !== undefined || this.choose(4) > 0
      const mined = work.forms.find((form) => this.chain[form.nonce] === form)
      if (mined && isSeen) {
        if (this.ask(work, this.stateOf(work), 'receipt').effect === 'note-block') {
          work.minedForm = mined
          work.status = 'sent'
        }
        const end = this.choose(2) === 0 ? 'final-success' : 'final-revert'
        if (mined.nonce < this.final && this.stateOf(work) === 'mined')
          work.status = this.ask(work, 'mined', end).to as 'confirmed' | 'reverted'
      } else if (this.ask(work, this.stateOf(work), 'receipt-gone').effect === 'forget-block')
        work.minedForm = null
      else if (this.chain.length > work.nonce) this.act(work, this.stateOf(work), 'nonce-taken')
      else if (replies === undefined && this.choose(3) === 0)
        this.act(work, this.stateOf(work), 'needs-new-form')
      else {
        const now = this.ask(work, this.stateOf(work), 'due')
        if (now.effect === 'offer') this.offer(work, now.to, replies)
      }
    }
  }

  private mine(choice?: number): boolean {
    const candidates = [...new Set(this.pools.flatMap((pool) => [...pool]))].filter(
      ({ nonce }) => nonce === this.chain.length,
    )
    const form = candidates[choice ?? this.choose(Math.max(1, candidates.length))]
    if (!form) return false
    this.chain.push(form)
    for (const pool of this.pools)
      for (const other of pool) if (other.nonce === form.nonce) pool.delete(other)
    return true
  }

  private finalize(): void {
    this.final += this.choose(this.chain.length - this.final + 1)
  }

  /** Removes blocks that are not final; nodes may put the transactions in them back into their pools. */
  private reorg(): void {
    const left = this.final + this.choose(this.chain.length - this.final + 1)
    for (const form of this.chain.splice(left))
      for (const pool of this.pools) if (this.choose(2) === 0) pool.add(form)
  }

  private forget(): void {
    const pool = this.pools[this.choose(2)]!
    const form = [...pool][this.choose(Math.max(1, pool.size))]
    if (form) pool.delete(form)
  }

  private review(): void {
    const work = this.works[this.choose(Math.max(1, this.works.length))]
    if (!work || isOver(work)) return
    const { effect, to } = this.ask(work, this.stateOf(work), 'pointless')
    if (effect === 'settle') work.status = to as 'abandoned'
    if (effect === 'note-pointless') work.isPointless = true
  }

  /** A transaction is checked before it is sent again, and would fail. */
  private checkAgain(): void {
    const work = this.works[this.choose(Math.max(1, this.works.length))]
    if (work && work.nonce !== null && !isOver(work)) this.act(work, this.stateOf(work), 'would-fail')
  }

  /** Another holder of the key sends a transaction. */
  private useElsewhere(): void {
    if (this.strangers >= 3) return
    this.strangers += 1
    const form: Form = { work: null, nonce: this.chain.length + this.choose(2), delivery: 'unknown' }
    for (const pool of this.pools) if (this.choose(3) > 0) pool.add(form)
  }

  /** The watcher fills the lowest gap that the nodes report. */
  private closeGaps(): void {
    const held = new Set(this.works.flatMap((work) => (isOver(work) ? [] : (work.nonce ?? []))))
    for (let nonce = this.chain.length; nonce < this.next; nonce += 1) {
      if (held.has(nonce)) continue
      const isLast = [...held].every((other) => other < nonce)
      if (CLOSING_GAPS[isLast ? 'last' : 'below-others'] === 'fill') this.enqueue(true, nonce)
      else this.next = nonce
    }
    this.next = Math.max(this.next, this.chain.length)
  }

  private stateOf = ({ status, minedForm, forms, nonce }: Work): NonceState =>
    stateOf({
      status,
      minedHash: minedForm && 'mined',
      forms: forms.filter((form) => nonce === null || form.nonce === nonce),
    })

  private ask(work: Work, state: NonceState, event: NonceEvent) {
    const purpose: Purpose = work.isFiller ? 'filler' : work.isPointless ? 'pointless' : 'call'
    return this.decide({ state, purpose }, event)
  }

  /** Checks the rules that hold in every state. */
  private check(): void {
    const taken = new Map<number, string>()
    for (const work of this.works) {
      const live = work.forms.filter((form) => this.mayCount(form))
      const nonces = new Set(live.map(({ nonce }) => nonce))
      if (nonces.size > 1) throw new Error(`${work.name} could be mined under ${[...nonces].join(' and ')}`)
      if ((work.status === 'queued' || work.status === 'abandoned') && live.length > 0)
        throw new Error(`${work.name} is ${work.status}, and may still be mined`)
      if (this.stateOf(work) === 'refused' && live.length > 0)
        throw new Error(`${work.name} counts as refused by all, and may still be mined`)
      if (work.nonce === null || isOver(work)) continue
      const other = taken.get(work.nonce)
      if (other) throw new Error(`${work.name} and ${other} have the nonce ${work.nonce}`)
      taken.set(work.nonce, work.name)
    }
  }

  /** Whether a form is in a block, or may get into one. */
  private mayCount = (form: Form) =>
    this.chain[form.nonce] === form || (form.nonce >= this.final && this.pools.some((pool) => pool.has(form)))
}

const isOver = ({ status }: Work) => status === 'confirmed' || status === 'reverted' || status === 'abandoned'

function outcomeOf(reply: Reply): SendOutcome {
  if (reply === 'takes it') return { status: 'accepted' }
  if (reply === 'takes it without a word') return { status: 'unclear', message: reply }
  if (reply === 'cannot be reached') return { status: 'unreachable', message: reply }
  return { status: 'refused', refusal: reply, message: reply }
}
