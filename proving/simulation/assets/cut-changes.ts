import type { ApprovalChange, AssetChange } from '../../simulate-job.ts'

interface ToldChanges {
  changes: readonly AssetChange[]
  approvals: readonly ApprovalChange[]
}

/**
 * Returns the first movements and approvals of calls, at most `most` together: a call can make thousands, and each one costs
 * its reader time. `isWhole` becomes false where something is cut.
 */
export function cutChanges<Call extends ToldChanges>(calls: readonly Call[], most: number): Call[] {
  let room = most
  return calls.map((call) => {
    const changes = call.changes.slice(0, room)
    const approvals = call.approvals.slice(0, room - changes.length)
    room -= changes.length + approvals.length
    const isCut = changes.length < call.changes.length || approvals.length < call.approvals.length
    return { ...call, changes, approvals, ...(isCut && { isWhole: false }) }
  })
}
