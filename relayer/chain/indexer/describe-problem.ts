import { RpcRefusal, TransportError } from '../../../proving/rpc/json-rpc.ts'
import { OtherChainError } from '../nodes/node-identity.ts'
import { WrongAnswerError } from './ask-nodes.ts'
import { BlockUnreadError } from './open-block-reader.ts'
import { NodesDisagreeError } from './resolve-fork.ts'

const MAX_LENGTH = 200

/** Describes why a chain is not indexed, in words that may be shown: without URLs, since those hold keys. */
export function describeProblem(error: unknown): string {
  const ours =
    error instanceof WrongAnswerError ||
    error instanceof OtherChainError ||
    error instanceof BlockUnreadError ||
    error instanceof NodesDisagreeError ||
    error instanceof TransportError
  if (ours) return withoutUrls(error.message)
  if (error instanceof RpcRefusal) return withoutUrls(`the node refused: ${error.message}`)
  return 'an unexpected error, see the log'
}

const withoutUrls = (text: string): string => text.replaceAll(/\w+:\/\/\S+/g, '…').slice(0, MAX_LENGTH)
