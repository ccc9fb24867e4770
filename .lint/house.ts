// The rules that only this repository has, as an oxlint plugin (.oxlintrc.json, "jsPlugins").
import type { RuleTester } from 'oxlint/plugins-dev'
import { documentedExports } from './documented-exports.ts'
import { knownByName } from './known-by-name.ts'
import { layerOrder } from './layer-order.ts'
import { uniqueExports } from './unique-exports.ts'

/** The form of a rule for oxlint. Its package exports no name for it. */
export type Rule = Parameters<RuleTester['run']>[1]

export default {
  meta: { name: 'house' },
  rules: {
    'layer-order': layerOrder,
    'documented-exports': documentedExports,
    'unique-exports': uniqueExports,
    'known-by-name': knownByName,
  },
}
