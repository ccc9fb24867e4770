import type { RpcRequest } from '../../../proving/rpc/json-rpc.ts'

/** Methods whose first parameter is the address that they are about. */
const ABOUT_FIRST = new Set(['eth_getCode', 'eth_getBalance', 'eth_getTransactionCount', 'eth_getStorageAt'])
const WORD = 64
/** Twelve zero bytes, then a value that is no small number. */
const ADDRESS_WORD = /^0{24}(?!0{20})[0-9a-f]{40}$/

/** The addresses that a question is about, in lower case without 0x: not the contract that is called. */
export function subjectsOf({ method, params }: RpcRequest): readonly string[] {
  const [first] = params
  if (ABOUT_FIRST.has(method)) return [bare(first)]
  if (method !== 'eth_call' && method !== 'eth_estimateGas') return []
  const { from, data, input } = first as { from?: unknown; data?: unknown; input?: unknown }
  const text = bare(data ?? input)
  // Calldata begins with a selector; longer data creates a contract and contains no address of an account.
  if (text.length > MOST_CALLDATA) return from === undefined ? [] : [bare(from)]
  const found: string[] = from === undefined ? [] : [bare(from)]
  for (let at = 8; at + WORD <= text.length; at += WORD) {
    const word = text.slice(at, at + WORD)
    if (ADDRESS_WORD.test(word)) found.push(word.slice(24))
  }
  return found
}

const MOST_CALLDATA = 4_096

const bare = (text: unknown) => (typeof text === 'string' ? text.replace(/^0x/, '').toLowerCase() : '')

/** A question and the account that it is asked for; null for the service itself. */
export interface Asked {
  account: string | null
  request: RpcRequest
}

/**
 * Partitions questions: no part has questions of one account about different addresses. Questions of several accounts, and
 * those about no address, stay together: there are as many parts as one account has addresses.
 */
export function separateSubjects<One extends Asked>(questions: readonly One[]): readonly (readonly One[])[] {
  const parts: { questions: One[]; subjects: Map<string, ReadonlySet<string>> }[] = []
  for (const question of questions) {
    const { account, request } = question
    const subjects = new Set(account === null ? [] : subjectsOf(request))
    const mayJoin = (present: ReadonlySet<string> | undefined) =>
      !present || subjects.size === 0 || present.isSupersetOf(subjects) || present.isSubsetOf(subjects)
    let part = parts.find((one) => account === null || mayJoin(one.subjects.get(account)))
    if (!part) parts.push((part = { questions: [], subjects: new Map() }))
    part.questions.push(question)
    if (account !== null && subjects.size > 0)
      part.subjects.set(account, subjects.union(part.subjects.get(account) ?? new Set()))
  }
  return parts.map((part) => part.questions)
}
