import { createInviteCodes, listInviteCodes } from '../../db/identity/invite-codes.ts'
import { randomLegible, randomText } from '../../relayer/identity/random-text.ts'
import type { AdminCommand } from './command.ts'
import { readExpiry, readLabel, readNumber } from './read-option.ts'

/** A code of 78 random bits, in groups that people can type. */
const makeCode = () => [1, 2, 3, 4].map(() => randomLegible(4)).join('-')

export const inviteCodeCommands: readonly AdminCommand[] = [
  {
    name: 'invite-code create',
    usage: '[--count <n>] [--days <n>] [--label <text>]',
    help: 'make codes that let one account each be created; they are shown once',
    words: { least: 0, most: 0 },
    options: {
      count: { type: 'string', default: '1' },
      days: { type: 'string' },
      label: { type: 'string', default: '' },
    },
    async run({ database, print }, _, { count = '1', days, label = '' }) {
      const expiresAt = readExpiry(days)
      const codes = Array.from({ length: readNumber('count', count, [1, 1_000]) }, () => ({
        id: randomText(12),
        code: makeCode(),
        label: readLabel(label),
        expiresAt,
      }))
      await createInviteCodes(database, codes)
      for (const { code } of codes) print(code)
    },
  },
  {
    name: 'invite-code list',
    usage: '',
    help: 'id, state and label of all codes',
    words: { least: 0, most: 0 },
    options: {},
    async run({ database, print }) {
      for (const { id, label, createdAt, expiresAt, consumedAt } of await listInviteCodes(database)) {
        const state = consumedAt
          ? `used ${consumedAt.toISOString()}`
          : expiresAt
            ? `${expiresAt.getTime() > Date.now() ? 'expires' : 'expired'} ${expiresAt.toISOString()}`
            : 'good'
        print([id, `made ${createdAt.toISOString()}`, state, label].join('\t'))
      }
    },
  },
]
