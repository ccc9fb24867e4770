import {
  attributionNotFound,
  noReferralProgramme,
  referrerNotFound,
} from '../../../relayer/account/referrals/errors.ts'
import { accountNotFound } from '../../../relayer/errors.ts'
import { accountMutation, accountQuery } from '../../define/account-operation.ts'
import { publicQuery } from '../../define/operation.ts'
import {
  referralAttribution,
  availability,
  codePath,
  namePath,
  referralPreview,
  referralProfile,
  referralSummary,
  referrer,
} from './model.ts'

const section = 'Referrals'

export const referralOperations = [
  publicQuery({
    name: 'referralAvailability',
    rest: 'GET /v1/referrals/availability',
    limit: 30,
    section,
    summary: 'Whether there is a referral programme',
    description: 'Without one the other referral requests answer 403, and attributions that exist run on.',
    input: {},
    output: availability,
    run: async (_, { services }) => ({ available: services.referrals.isAvailable() }),
  }),
  publicQuery({
    name: 'resolveReferrer',
    rest: 'GET /v1/referrals/by-name/{name}/resolve',
    limit: 30,
    errors: [noReferralProgramme, referrerNotFound],
    section,
    summary: 'A referrer’s code, by name',
    description:
      'The name with or without the parent name. 404 unless its account has opened a referral profile.',
    input: { path: namePath },
    output: referrer,
    run: async ({ path }, { services }) => withName(await services.referrals.findByName(path.name)),
  }),
  publicQuery({
    name: 'previewReferral',
    rest: 'GET /v1/referrals/{code}/preview',
    limit: 30,
    errors: [noReferralProgramme, referrerNotFound],
    section,
    summary: 'Offer of a referral code',
    description:
      'Case, blanks and hyphens make no difference, nor do letters that look like digits. The code goes into `referralCode` when the account is created.',
    input: { path: codePath },
    output: referralPreview,
    run: async ({ path }, { services }) => services.referrals.findByCode(path.code),
  }),
  accountQuery({
    name: 'referralAttribution',
    field: 'referralAttribution',
    rest: 'GET /v1/accounts/{accountId}/referrals/attribution',
    limit: 60,
    errors: [attributionNotFound],
    foreignAccount: accountNotFound,
    section,
    summary: 'By whom the account was brought',
    description: '404 if it has no referrer.',
    output: referralAttribution,
    run: async ({ path }, { services }) => withName(await services.referrals.readAttribution(path.accountId)),
  }),
  accountMutation({
    name: 'endReferralAttribution',
    rest: 'DELETE /v1/accounts/{accountId}/referrals/attribution',
    limit: 60,
    errors: [attributionNotFound],
    foreignAccount: accountNotFound,
    section,
    summary: 'End the attribution for good',
    description:
      'Ends the discount and the referrer’s share; there is no way back, nor to another referrer. Repeated, it answers the same.',
    output: referralAttribution,
    run: async ({ path }, { services }) => withName(await services.referrals.endAttribution(path.accountId)),
  }),
  accountQuery({
    name: 'referralSummary',
    field: 'referralSummary',
    rest: 'GET /v1/accounts/{accountId}/referrals/summary',
    limit: 60,
    section,
    summary: 'Totals of the account’s referrals',
    description: 'Numbers and a sum; the referred accounts are not named.',
    output: referralSummary,
    run: async ({ path }, { services }) => services.referrals.summarize(path.accountId),
  }),
  accountMutation({
    name: 'openReferralProfile',
    rest: 'POST /v1/accounts/{accountId}/referrals/profile',
    limit: 60,
    errors: [noReferralProgramme],
    section,
    summary: 'The account’s referral code',
    description: 'Made on first use, always the same afterwards, with the terms of today.',
    output: referralProfile,
    run: async ({ path }, { services }) => services.referrals.openProfile(path.accountId),
  }),
]

/** Only previews may have a referrer without a name. */
function withName<Answer extends { referrerName: string | null }>(answer: Answer) {
  return { ...answer, referrerName: answer.referrerName ?? '' }
}
